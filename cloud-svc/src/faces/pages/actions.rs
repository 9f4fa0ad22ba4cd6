//! The values of the field `action` of forms about files, comments, plans and proposals.

pub const RENAME: &str = "rename";
pub const MOVE: &str = "move";
pub const COPY: &str = "copy";
pub const TRASH: &str = "trash";
pub const RESTORE: &str = "restore";
pub const PURGE: &str = "purge";
pub const RESTORE_VERSION: &str = "restore-version";

pub const WRITE: &str = "write";
pub const RESOLVE: &str = "resolve";
pub const REOPEN: &str = "reopen";

pub const APPLY: &str = "apply";
pub const APPROVE: &str = "approve";
pub const REJECT: &str = "reject";
pub const RETURN: &str = "return";
pub const DISCARD: &str = "discard";
pub const REBASE: &str = "rebase";
pub const REQUEST_REVIEW: &str = "request-review";
pub const UNDO: &str = "undo";
