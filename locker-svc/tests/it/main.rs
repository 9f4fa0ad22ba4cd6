//! The locker through HTTP, on whichever backend this run has.

mod catalogue;
mod commands;
mod rooms;
mod samples;
mod subscriptions;
mod suites;
