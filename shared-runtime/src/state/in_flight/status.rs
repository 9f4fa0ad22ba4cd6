//! What is known of a command that carries an idempotency key.

/// What is known of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InFlight {
    /// Nobody carries it out: the caller has its lock until it completes or releases it, or the lock expires.
    Acquired,
    /// Somebody carries it out.
    Running,
    /// It is done; the response, as given to [`InFlightLocks::complete`](super::InFlightLocks::complete).
    Done(String),
}
