//! The locker through HTTP, on whichever backend this run has.

mod attestations;
mod buckets;
mod catalogue;
mod command_line;
mod commands;
mod connection_tests;
mod exports;
mod import;
mod metrics;
mod model;
mod model_server;
mod pages;
mod rooms;
mod samples;
mod subscriptions;
mod suites;
mod tables;
mod tools;
mod upstream;
mod upstream_server;
