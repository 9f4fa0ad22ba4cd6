//! Background jobs: a durable queue in the service's own database, for work that outlives a request.
//!
//! A transaction enqueues a job together with its own effects. A worker claims the job under a lease with an epoch; every
//! write for the job checks that epoch, and the job is removed in the transaction of its last effect. When a worker dies
//! its lease expires and another worker starts the job again; writes of a worker whose lease was taken over are refused.

mod kind;
mod lease;
mod measures;
mod run;
mod store;
mod tables;
mod worker;

pub use kind::{JobKind, Jobs, none};
pub use lease::{End, Interrupted, Lease, Settled};
pub use store::{Job, enqueue, ensure, waiting};
pub use worker::Workers;
