//! The locker's own process.

use std::process::ExitCode;

use locker_svc::{commands, service};

fn main() -> ExitCode {
    match commands::offline(&std::env::args_os().collect::<Vec<_>>()) {
        Some(code) => code,
        None => shared_runtime::cli::main(service(), commands::run),
    }
}
