//! What is known of a command that carries an idempotency key.

/// What is known of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFlight {
    /// Nobody carries it out: the caller has its lock until it completes or releases it, or the lock expires.
    Acquired,
    /// Somebody carries it out.
    Running,
    /// It is done, if the database still says so: one that was restored from a backup may not.
    Done,
}
