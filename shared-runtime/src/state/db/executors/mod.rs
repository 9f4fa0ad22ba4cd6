//! The threads that run reads and writes: batches, lanes, and the notifications after a commit.

pub mod batch;
pub mod lane;
pub mod notifications;
pub mod reader;
pub mod writer;
