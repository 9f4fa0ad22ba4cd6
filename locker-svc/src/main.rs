//! The program of the locker service.

use std::process::ExitCode;

use locker_svc::commands;
use shared_runtime::service::cli;

fn main() -> ExitCode {
    cli::main::<commands::Command>(locker_svc::service())
}
