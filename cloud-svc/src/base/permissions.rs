//! What a grant may do, as scopes of its access token.

use shared_runtime::Permission;

pub const READ: &str = "cloud.read";
pub const PROPOSE: &str = "cloud.propose";
pub const WRITE: &str = "cloud.write";
// Also implies `READ`: a reviewer must read what is approved.
pub const APPROVE: &str = "cloud.approve";

pub const WEBHOOKS: &str = "cloud.webhooks";

/// All scopes of this version, sorted.
pub const SCOPES: &[&str] = &[APPROVE, PROPOSE, READ, WEBHOOKS, WRITE];

pub struct ReadFiles;

impl Permission for ReadFiles {
    const SCOPE: &'static str = READ;
    const IMPLIED_BY: &'static [&'static str] = &[PROPOSE, WRITE, APPROVE];
}

/// Proposing edits, and commenting.
pub struct ProposeEdits;

impl Permission for ProposeEdits {
    const SCOPE: &'static str = PROPOSE;
    const IMPLIED_BY: &'static [&'static str] = &[WRITE];
}

/// Approving and rejecting what others propose.
pub struct ApproveEdits;

impl Permission for ApproveEdits {
    const SCOPE: &'static str = APPROVE;
}

// A separate permission: a grant that only manages webhooks may see them, but no files.
pub struct SeeWebhooks;

impl Permission for SeeWebhooks {
    const SCOPE: &'static str = READ;
    const IMPLIED_BY: &'static [&'static str] = &[PROPOSE, WRITE, APPROVE, WEBHOOKS];
}

pub struct ManageWebhooks;

impl Permission for ManageWebhooks {
    const SCOPE: &'static str = WEBHOOKS;
}

pub struct WriteFiles;

impl Permission for WriteFiles {
    const SCOPE: &'static str = WRITE;
}
