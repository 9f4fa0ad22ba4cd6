//! Testing the connection to a room's model: a command queues a test, a worker probes the model's endpoint.

mod job;
pub mod probe;
mod queue;

pub use job::job;
pub use queue::queue;
