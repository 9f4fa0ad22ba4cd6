//! The time as a value that is passed in: the system's clock, or one that tests move.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use shared_model::Timestamp;

#[derive(Clone, Debug)]
pub enum Clock {
    System,
    /// Stands still until [`Clock::advance`] moves it. Microseconds since the Unix epoch.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A manual clock that shows this time.
    pub fn at(timestamp: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(timestamp.micros())))
    }

    pub fn now(&self) -> Timestamp {
        match self {
            #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
            Self::System => Timestamp::from_seconds(0)
                .plus(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()),
            Self::Manual(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock; does nothing to the system's.
    pub fn advance(&self, span: Duration) {
        if let Self::Manual(micros) = self {
            micros.fetch_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Moves a manual clock back, as a machine does whose clock was wrong.
    pub fn set_back(&self, span: Duration) {
        if let Self::Manual(micros) = self {
            micros.fetch_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}
