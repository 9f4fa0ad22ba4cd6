//! The service checks its own log: everything that is derived is computed again from the leaves and compared with what is
//! stored. A byte that was changed anywhere is found, and named.

pub mod mismatch;
pub mod range;
pub mod read;
pub mod run;
pub mod signatures;
pub mod state;

pub use mismatch::{CheckError, Mismatch};
pub use run::{Checked, run};
pub use state::SelfChecks;
