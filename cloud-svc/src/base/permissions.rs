//! What a grant may do, as scopes of its access token. `cloud.write` implies reading.

use shared_runtime::Permission;

pub const READ: &str = "cloud.read";
pub const PROPOSE: &str = "cloud.propose";
/// Creates and changes files; implies reading and proposing.
pub const WRITE: &str = "cloud.write";
/// Approves proposed edits, and reads what it approves.
pub const APPROVE: &str = "cloud.approve";

/// Manages the webhooks of the grant, and sees them.
pub const WEBHOOKS: &str = "cloud.webhooks";

/// The scopes that this version asks for, sorted.
pub const SCOPES: &[&str] = &[APPROVE, PROPOSE, READ, WEBHOOKS, WRITE];

/// May read the files of the grant's workspace.
pub struct ReadFiles;

impl Permission for ReadFiles {
    const SCOPE: &'static str = READ;
    const IMPLIED_BY: &'static [&'static str] = &[PROPOSE, WRITE, APPROVE];
}

/// May propose edits, and comment.
pub struct ProposeEdits;

impl Permission for ProposeEdits {
    const SCOPE: &'static str = PROPOSE;
    const IMPLIED_BY: &'static [&'static str] = &[WRITE];
}

/// May approve and reject what others propose.
pub struct ApproveEdits;

impl Permission for ApproveEdits {
    const SCOPE: &'static str = APPROVE;
}

/// May see the webhooks of the grant.
pub struct SeeWebhooks;

impl Permission for SeeWebhooks {
    const SCOPE: &'static str = READ;
    const IMPLIED_BY: &'static [&'static str] = &[PROPOSE, WRITE, APPROVE, WEBHOOKS];
}

/// May have endpoints told of the changes of the grant's workspace.
pub struct ManageWebhooks;

impl Permission for ManageWebhooks {
    const SCOPE: &'static str = WEBHOOKS;
}

/// May create and change files in the grant's workspace.
pub struct WriteFiles;

impl Permission for WriteFiles {
    const SCOPE: &'static str = WRITE;
}
