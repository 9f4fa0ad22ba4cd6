//! Work on its way to an executor thread: the queue, the closure with its outcome, the idempotency record.

pub mod idempotency_record;
pub mod queue;
pub mod queued_work;
pub mod tables;
