//! The orders service's own process.

use std::process::ExitCode;

use orders_svc::{commands, service};

fn main() -> ExitCode {
    shared_runtime::service::cli::main(service(), commands::run)
}
