//! The program of the trust service.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use shared_runtime::service::cli;
use trust_svc::commands;

fn main() -> ExitCode {
    cli::main::<commands::Command>(trust_svc::service())
}
