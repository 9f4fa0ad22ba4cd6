//! Long-running operations: queued by a command, done by a worker, watched by their owner.

mod operation;
mod read;
pub mod store;
mod sweep;
mod view;

pub use operation::{Ending, LongRunningOperation, OperationKind, OperationStatus};
pub use read::read;
pub use sweep::SWEEP;
