//! How much and how often (spec: Limits; the values are those of the service information).

pub use cloud_content::limits::{REQUEST_BYTES, RESPONSE_BYTES, SHEET_RANGE_CELLS};
use shared_runtime::state::rate_limit::LimitClass;

/// Reads of a grant.
pub static READ: LimitClass = LimitClass { name: "read", per_minute: 600 };
/// Commands of a grant.
pub static WRITE: LimitClass = LimitClass { name: "write", per_minute: 120 };
/// Chunks of uploads of a grant: 100 MiB a second, so that a large file is not a matter of the commands beside it.
pub static CHUNK: LimitClass = LimitClass { name: "chunk", per_minute: 6_000 };
/// Downloads, per source address: a link alone is enough for them.
pub static DOWNLOAD: LimitClass = LimitClass { name: "download", per_minute: 600 };
/// Public pages, per source address.
pub static PUBLIC: LimitClass = LimitClass { name: "public", per_minute: 120 };

/// Bytes of all versions of a workspace at most, unless the operator grants it more.
pub const STORAGE_QUOTA_BYTES: i64 = 5_368_709_120;
/// Operations of a plan at most.
pub const EDIT_OPERATIONS: usize = 50;
/// How long a plan can be applied.
pub const EDIT_PLAN_SECONDS: u64 = 900;
/// How long a plan can be applied after somebody has asked for its review.
pub const REVIEW_PLAN_SECONDS: u64 = 604_800;
/// Drafts of a grant at most.
pub const SCRATCH_DRAFTS: i64 = 50;
/// Bytes of the content of all drafts of a grant at most, so that one answer lists them all.
pub const SCRATCH_BYTES: i64 = 4_000_000;
/// How long a draft is kept after it was last written.
pub const SCRATCH_SECONDS: u64 = 604_800;
/// How long a change can be read, and a cursor of the change feed used.
pub const CHANGE_CURSOR_SECONDS: u64 = 2_592_000;
/// How long a reader of the change feed may wait for news.
pub const CHANGE_WAIT_SECONDS: u64 = 25;
/// Webhooks of a grant at most, but for those that are revoked.
pub const WEBHOOKS: i64 = 10;
/// Bytes of an upload at most.
pub const UPLOAD_BYTES: i64 = 1_073_741_824;
/// Bytes of each chunk of an upload but the last.
pub const UPLOAD_CHUNK_BYTES: i64 = 1_048_576;
/// How long an upload can be gone on with.
pub const UPLOAD_SECONDS: u64 = 86_400;
/// How long an upload can be read after that.
pub const UPLOAD_KEPT_SECONDS: u64 = 604_800;
/// How long a download can begin after its link was made.
pub const DOWNLOAD_GRANT_SECONDS: u64 = 120;
