//! The service checks its own log: it computes all derived data again from the entries and compares it with the stored
//! data. So it finds every changed byte and names its place.

pub mod mismatch;
pub mod range;
pub mod read;
pub mod run;
pub mod signatures;
pub mod state;

pub use mismatch::{CheckError, Mismatch};
pub use run::{Checked, run};
pub use state::{CHECKED, DAMAGED, SelfChecks};
