//! The locker's own process.

use std::process::ExitCode;

use locker_svc::{commands, service};

fn main() -> ExitCode {
    shared_runtime::cli::main(service(), commands::run)
}
