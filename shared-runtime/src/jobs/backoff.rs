//! Pauses between attempts.

use std::time::Duration;

use rand::RngExt as _;

/// A random span between half of this one and the whole, so that waiting processes do not all come back at once.
pub(super) fn jittered(span: Duration) -> Duration {
    span.mul_f64(rand::rng().random_range(0.5..=1.0))
}

/// Pauses while the database is away: 100 ms, doubled each time, at most 5 s.
#[derive(Default)]
pub(super) struct OutageBackoff {
    failures: u32,
}

impl OutageBackoff {
    const FIRST: Duration = Duration::from_millis(100);
    const MAX: Duration = Duration::from_secs(5);

    /// Whether nothing has failed yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.failures == 0
    }

    /// The next pause.
    pub(super) fn pause(&mut self) -> Duration {
        let pause = Self::FIRST * 2_u32.pow(self.failures.min(6));
        self.failures = self.failures.saturating_add(1);
        jittered(pause.min(Self::MAX))
    }
}
