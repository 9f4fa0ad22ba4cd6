//! The trust service: `serve` (default), `migrate`, `healthcheck`, `openapi`, `signer …`, `sign …`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Signing is done where the key is: without settings, without a database.
    match trust_svc::commands::offline(&std::env::args_os().collect::<Vec<_>>()) {
        Some(code) => code,
        None => shared_runtime::service::cli::main(trust_svc::service(), trust_svc::commands::run),
    }
}
