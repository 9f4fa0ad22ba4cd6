//! The orders service's own process.

use std::process::ExitCode;

use orders_svc::{commands, service};

fn main() -> ExitCode {
    shared_runtime::cli::main(service(), commands::run)
}
