//! The locker through HTTP, on whichever backend this run has.

mod attestations;
mod buckets;
mod catalogue;
mod commands;
mod exports;
mod import;
mod model;
mod model_check;
mod model_tests;
mod rooms;
mod samples;
mod subscriptions;
mod suites;
mod upstream;
mod upstream_server;
mod workers;
