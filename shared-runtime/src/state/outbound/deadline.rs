//! One moment by which all of it must be over, whatever the other side does.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::error::OutboundError;

/// A moment on the machine's own clock, which never jumps.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    pub fn after(span: Duration) -> Self {
        Self(Instant::now() + span)
    }

    /// What comes of it, or [`OutboundError::Timeout`].
    pub async fn within<T>(self, work: impl Future<Output = T>) -> Result<T, OutboundError> {
        timeout_at(self.0, work).await.map_err(|_| OutboundError::Timeout)
    }

    /// This deadline, or so long from now if that is sooner.
    pub fn or_after(self, span: Duration) -> Self {
        Self(self.0.min(Instant::now() + span))
    }

    /// The deadline of the first of so many attempts that share what is left of the time.
    pub fn share(self, attempts: u32) -> Self {
        let now = Instant::now();
        Self(now + self.0.saturating_duration_since(now) / attempts.max(1))
    }
}
