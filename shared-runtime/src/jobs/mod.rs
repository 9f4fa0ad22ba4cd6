//! Background jobs: a durable queue in the service's own database, for work that outlives a request.
//!
//! A transaction enqueues a job together with its own effects. A worker looks for due jobs on the read side, and claims
//! each under a lease with an epoch. Every write for the job checks that epoch, and the transaction of its last effect
//! removes the job. When a worker dies, its lease expires and another worker starts the job again. Later writes of the
//! first worker are refused.

mod kind;
mod lease;
mod measures;
mod run;
mod store;
mod tables;
mod worker;

pub use kind::{JobKind, Jobs, none};
pub use lease::{AttemptError, JobEnd, Lease, Settlement};
pub use measures::METRICS;
pub use store::{Job, enqueue, ensure, make_due, waiting};
pub use worker::Workers;
