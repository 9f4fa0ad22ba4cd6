//! The program of the locker service.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use locker_svc::cli::Command;
use shared_runtime::service::cli;

fn main() -> ExitCode {
    cli::main::<Command>(locker_svc::service())
}
