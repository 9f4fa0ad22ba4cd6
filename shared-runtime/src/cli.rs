//! The command line that every service has: `serve` (default), `migrate`, `healthcheck`, `openapi`, `grant revoke`,
//! and the service's own provisioning commands.

use std::{error::Error, pin::Pin, process::ExitCode};

use crate::{Desk, server::Service};

/// What a provisioning command returns.
pub type Provisioning = Pin<Box<dyn Future<Output = Result<(), Box<dyn Error>>>>>;

/// A service without provisioning commands of its own.
#[derive(clap::Subcommand, Debug)]
pub enum NoCommands {}

/// Runs a service's command line.
pub fn main<C: clap::Subcommand>(_service: Service, _provision: fn(C, Desk) -> Provisioning) -> ExitCode {
    ExitCode::FAILURE
}
