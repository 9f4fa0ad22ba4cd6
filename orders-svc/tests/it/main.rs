//! The Orders API over HTTP, on the backend of this run.

mod broken_disks;
mod commands;
mod create;
mod export;
mod identity;
mod import;
mod list;
mod metrics;
mod model;
mod moves;
mod pages;
mod read;
mod records;
mod samples;
mod suites;
mod tables;
mod tools;
mod wrong_database;
