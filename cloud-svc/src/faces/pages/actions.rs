//! The values of the field `action` of forms about files and comments.

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
