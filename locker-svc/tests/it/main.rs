//! The locker through HTTP, on whichever backend this run has.

mod catalogue;
mod samples;
mod subscriptions;
mod suites;
