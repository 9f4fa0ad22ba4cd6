//! The result of an attempt to take an in-flight lock.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOutcome {
    /// The caller has the lock until it completes or releases it, or until the lock expires.
    Acquired,
    /// Another request runs the command.
    Running,
    /// The command is done, if the database confirms it. A database restored from a backup may not.
    Done,
}
