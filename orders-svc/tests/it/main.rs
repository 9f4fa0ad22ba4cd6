//! The Orders API through HTTP, on whichever backend this run has.

mod commands;
mod import;
mod read;
mod samples;
mod suites;
