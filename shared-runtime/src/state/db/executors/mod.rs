//! The threads that run reads and writes, in batches and lanes.

pub mod batch;
pub mod checkpointer;
pub mod lane;
pub mod look_ups;
pub mod reader;
pub mod writer;
