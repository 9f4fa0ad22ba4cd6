//! Locker over HTTP, on the backend of this run.

mod attestations;
mod bodies;
mod broken_disks;
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
