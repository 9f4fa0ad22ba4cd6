//! The locker through HTTP, on whichever backend this run has.

mod buckets;
mod catalogue;
mod commands;
mod import;
mod rooms;
mod samples;
mod subscriptions;
mod suites;
mod upstream;
mod upstream_server;
