//! Work that outlives a request: one small durable queue on the service's own database.
//!
//! A transaction enqueues a job in the transaction of its effect. A worker claims it under a lease with an epoch of its own; all
//! that it writes for the job is fenced by that epoch, and the job ends in the transaction of its last effect. Whoever
//! dies loses the lease when it expires, and another worker begins again; whoever comes back later writes nothing.

mod kind;
mod lease;
mod run;
mod store;
mod worker;

use std::time::Duration;

use rand::RngExt as _;

pub use kind::{End, JobKind, Jobs, none};
pub use lease::{Interrupted, Lease, Settled};
pub use store::{Job, enqueue, ensure, waiting};
pub use worker::Workers;

/// A span between the half and the whole of this one, so that those who wait do not come back together.
fn jittered(span: Duration) -> Duration {
    span.mul_f64(rand::rng().random_range(0.5..=1.0))
}

/// Longer and longer pauses while something is not there.
#[derive(Default)]
struct Patience {
    tried: u32,
}

impl Patience {
    const FIRST: Duration = Duration::from_millis(100);
    const MOST: Duration = Duration::from_secs(5);

    /// Whether nothing has gone wrong yet.
    fn is_fresh(&self) -> bool {
        self.tried == 0
    }

    /// The next pause.
    fn pause(&mut self) -> Duration {
        let pause = Self::FIRST * 2_u32.pow(self.tried.min(6));
        self.tried = self.tried.saturating_add(1);
        jittered(pause.min(Self::MOST))
    }
}
