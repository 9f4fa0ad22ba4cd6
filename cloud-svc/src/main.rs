//! The cloud service's program.

use std::process::ExitCode;

use shared_runtime::service::cli::{self, NoCommands};

fn main() -> ExitCode {
    cli::main::<NoCommands>(cloud_svc::service(), |command, _| match command {})
}
