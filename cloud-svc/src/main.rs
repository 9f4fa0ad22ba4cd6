//! The program of the cloud service.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use cloud_svc::faces::cli::Command;
use shared_runtime::service::cli;

fn main() -> ExitCode {
    cli::main::<Command>(cloud_svc::service())
}
