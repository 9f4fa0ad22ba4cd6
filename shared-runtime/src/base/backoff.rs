//! Pauses between attempts.

use std::time::Duration;

use rand::RngExt as _;

/// A random span between half of this one and the whole, so that waiting processes do not all come back at once.
pub fn jittered(span: Duration) -> Duration {
    span.mul_f64(rand::rng().random_range(0.5..=1.0))
}

/// Pauses while something is away: each twice as long as the one before, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    first: Duration,
    max: Duration,
    failures: u32,
}

impl Backoff {
    /// From this pause to that one.
    pub const fn new(first: Duration, max: Duration) -> Self {
        Self { first, max, failures: 0 }
    }

    /// While the database is away: 100 ms to 5 s.
    pub const fn of_outage() -> Self {
        Self::new(Duration::from_millis(100), Duration::from_secs(5))
    }

    /// Whether nothing has failed yet.
    pub fn is_fresh(&self) -> bool {
        self.failures == 0
    }

    /// The next pause.
    pub fn pause(&mut self) -> Duration {
        let pause = self.first.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        jittered(pause.min(self.max))
    }

    /// Something has succeeded: the next pause is the first again.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}
