//! The time, passed in: the system's, or one that tests move by hand.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use shared_model::Timestamp;

/// Tells the time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// Stands still until [`Clock::advance`] moves it. Microseconds since the Unix epoch.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `moment`.
    pub fn at(timestamp: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(timestamp.micros())))
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        match self {
            #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
            Self::System => Timestamp::from_seconds(0)
                .plus(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()),
            Self::Manual(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock; the system's clock moves by itself.
    pub fn advance(&self, span: Duration) {
        if let Self::Manual(micros) = self {
            micros.fetch_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}
