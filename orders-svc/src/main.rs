//! The program of the orders service.

use std::process::ExitCode;

use orders_svc::commands;
use shared_runtime::service::cli;

fn main() -> ExitCode {
    cli::main::<commands::Command>(orders_svc::service())
}
