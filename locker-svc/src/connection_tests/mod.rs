//! Tests of the connection to a room's model. A command queues a test, a worker probes the model's endpoint, the owner
//! reads the report.

mod job;
pub mod probe;
mod queue;
mod read;

pub use job::job;
pub use queue::queue;
pub use read::read;
