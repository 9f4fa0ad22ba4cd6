//! Work on its way to an executor thread: the queue, and the closure with its outcome. With it go what it appends, the
//! idempotency record, and the notifications after a commit.

pub mod appended;
pub mod closure;
pub mod idempotency_record;
pub mod notifications;
pub mod queue;
pub mod queued_work;
pub mod tables;
