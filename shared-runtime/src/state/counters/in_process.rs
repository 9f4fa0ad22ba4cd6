//! Counters and marks in this process: all there is without Redis, and the warm fallback with it.

use super::{marks::Marks, windows::Windows};
use crate::base::clock::Clock;

/// Counters and marks of this process.
pub struct InProcess {
    pub(super) windows: Windows,
    pub(super) marks: Marks,
}

impl InProcess {
    pub(super) fn new(clock: Clock) -> Self {
        Self { windows: Windows::default(), marks: Marks::new(clock) }
    }
}
