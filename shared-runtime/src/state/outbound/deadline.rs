//! One deadline for all steps of a call.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::error::OutboundError;

// Monotonic, unlike the system clock, which may jump.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(span: Duration) -> Self {
        Self(Instant::now() + span)
    }

    /// The result of the work, or [`OutboundError::Timeout`].
    pub async fn within<T>(self, work: impl Future<Output = T>) -> Result<T, OutboundError> {
        timeout_at(self.0, work).await.map_err(|_| OutboundError::Timeout)
    }

    /// The earlier of this deadline and `span` from now.
    pub fn capped(self, span: Duration) -> Self {
        Self(self.0.min(Instant::now() + span))
    }

    pub fn share(self, attempts: u32) -> Self {
        let now = Instant::now();
        Self(now + self.0.saturating_duration_since(now) / attempts.max(1))
    }
}
