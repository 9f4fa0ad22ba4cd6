//! Tests of the service over HTTP, and of its commands.

mod broken_disks;
mod commands;
mod cosigning;
mod events;
mod killed;
mod log;
mod log_reader;
mod metrics;
mod model;
mod pages;
mod suites;
mod tables;
mod test_log;
mod test_signer;
mod tools;
mod watched;
mod witness;
