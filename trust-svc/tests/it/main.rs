//! Tests of the service over HTTP, and of its commands.

mod commands;
mod events;
mod killed;
mod log;
mod log_reader;
mod suites;
mod test_signer;
