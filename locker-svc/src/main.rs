//! The locker's own process.

use std::process::ExitCode;

use locker_svc::{commands, service};

fn main() -> ExitCode {
    shared_runtime::service::cli::main_with_offline(service(), commands::offline, commands::run)
}
