//! Rates and limits. The service information publishes the same values.

pub use cloud_content::limits::{REQUEST_BYTES, RESPONSE_BYTES, SHEET_RANGE_CELLS};
use shared_runtime::state::rate_limit::LimitClass;

/// Reads by one grant.
pub static READ: LimitClass = LimitClass { name: "read", per_minute: 600 };
/// Commands of one grant.
pub static WRITE: LimitClass = LimitClass { name: "write", per_minute: 120 };
// 100 MiB a second. A class of their own: a large upload must not use up the grant's commands.
pub static CHUNK: LimitClass = LimitClass { name: "chunk", per_minute: 6_000 };
// Counted per source address, because a download link works without a grant's token.
pub static DOWNLOAD: LimitClass = LimitClass { name: "download", per_minute: 600 };
/// Public pages, counted per source address.
pub static PUBLIC: LimitClass = LimitClass { name: "public", per_minute: 120 };

/// Default of the bytes that a workspace may keep; the operator may grant more.
pub const STORAGE_QUOTA_BYTES: i64 = 5_368_709_120;
/// Most operations in one plan.
pub const EDIT_OPERATIONS: usize = 50;
/// Most plans of one proposal.
pub const PROPOSAL_PLANS: usize = 50;
/// Most bytes of operations, previews and contents of all plans of one proposal. Its steps load them together.
pub const PROPOSAL_BYTES: usize = 33_554_432;
/// How long a plan can be applied.
pub const EDIT_PLAN_SECONDS: u64 = 900;
/// How long a plan can be applied after a review was requested.
pub const REVIEW_PLAN_SECONDS: u64 = 604_800;
/// Most drafts of one grant.
pub const SCRATCH_DRAFTS: i64 = 50;
// The content of all drafts of a grant. With this bound one answer can list them all.
pub const SCRATCH_BYTES: i64 = 4_000_000;
/// How long a draft is kept after it was last written.
pub const SCRATCH_SECONDS: u64 = 604_800;
/// How long a change can be read, and how long a cursor of the change feed works.
pub const CHANGE_CURSOR_SECONDS: u64 = 2_592_000;
/// How long a reader of the change feed may wait for changes.
pub const CHANGE_WAIT_SECONDS: u64 = 25;
// Less than the minute after which clients of agents give a call up.
pub const VERDICT_WAIT_SECONDS: u64 = 55;
/// Most webhooks of one grant; revoked ones do not count.
pub const WEBHOOKS: i64 = 10;
/// Largest upload.
pub const UPLOAD_BYTES: i64 = 1_073_741_824;
/// Size of each chunk of an upload except the last.
pub const UPLOAD_CHUNK_BYTES: i64 = 1_048_576;
/// How long an upload accepts chunks.
pub const UPLOAD_SECONDS: u64 = 86_400;
/// How long the record of an upload can be read after that.
pub const UPLOAD_KEPT_SECONDS: u64 = 604_800;
/// How long a download link can be used to begin a download.
pub const DOWNLOAD_GRANT_SECONDS: u64 = 120;
