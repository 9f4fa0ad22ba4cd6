//! The service checks its own log. It computes the tree, the rows of events and the signers again from the entries.
//! It compares them with the stored data, finds every changed byte of these, and names its place.
//!
//! Some columns do not follow from the entries. Of an event's `tree_size` it checks only that the receipt is possible.
//! When an event was published, and which checkpoints witnesses have cosigned, it does not check.

pub mod mismatch;
pub mod range;
pub mod read;
pub mod run;
pub mod signatures;
pub mod signer_table;
pub mod state;

pub use mismatch::{CheckError, Mismatch};
pub use run::{Checked, run};
pub use state::{CHECKED, DAMAGED, SelfChecks};
