//! The program of the orders service.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use orders_svc::cli::Command;
use shared_runtime::service::cli;

fn main() -> ExitCode {
    cli::main::<Command>(orders_svc::service())
}
