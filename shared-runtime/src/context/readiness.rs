//! Whether load balancers should send requests to this process.

use std::sync::atomic::{AtomicBool, Ordering};

/// On from the start, off from the first signal.
#[derive(Debug)]
pub struct Readiness(AtomicBool);

impl Readiness {
    pub fn on() -> Self {
        Self(AtomicBool::new(true))
    }

    pub fn off(&self) {
        // SeqCst: the edge reads it on other threads, and must close connections from the very next answer on.
        self.0.store(false, Ordering::SeqCst);
    }

    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
