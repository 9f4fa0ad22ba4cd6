//! Pauses between attempts.

use std::time::Duration;

use rand::RngExt as _;

/// A random span from half of this one to the whole, so that waiting processes do not all return at once.
pub fn jittered(span: Duration) -> Duration {
    span.mul_f64(rand::rng().random_range(0.5..=1.0))
}

/// Pauses that double with each failure, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    first: Duration,
    max: Duration,
    failures: u32,
}

impl Backoff {
    pub const fn new(first: Duration, max: Duration) -> Self {
        Self { first, max, failures: 0 }
    }

    /// 100 ms to 5 s, for an outage of the database.
    pub const fn for_outage() -> Self {
        Self::new(Duration::from_millis(100), Duration::from_secs(5))
    }

    pub fn is_fresh(&self) -> bool {
        self.failures == 0
    }

    pub fn pause(&mut self) -> Duration {
        let pause = self.first.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        jittered(pause.min(self.max))
    }

    /// Call it after a success: the next pause is the first again.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}
