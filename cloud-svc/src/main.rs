//! The program of the cloud service.

use std::process::ExitCode;

use shared_runtime::service::cli::{self, NoCommands};

fn main() -> ExitCode {
    cli::main::<NoCommands>(cloud_svc::service())
}
