//! Whether the service wants requests.

use std::sync::atomic::{AtomicBool, Ordering};

/// On from the start, off from the first signal on.
#[derive(Debug)]
pub struct Readiness(AtomicBool);

impl Readiness {
    /// On.
    pub fn on() -> Self {
        Self(AtomicBool::new(true))
    }

    /// No new requests, please.
    pub fn off(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Whether it is on.
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
