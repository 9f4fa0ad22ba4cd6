//! The Orders API through HTTP, on whichever backend this run has.

mod commands;
mod create;
mod export;
mod identity;
mod import;
mod list;
mod moves;
mod read;
mod records;
mod samples;
mod suites;
mod tables;
mod tools;
mod wrong_database;
