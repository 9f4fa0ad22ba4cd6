//! The service's own commands: signers are registered and ended by the operator; events are signed where the key is.

pub mod sign;
pub mod signer;

use std::{error::Error as StdError, ffi::OsString, process::ExitCode};

use clap::Parser as _;
use shared_model::Error;
use shared_runtime::{Context, service::cli::Provisioning};

/// What the operator, or a signer, can do.
#[derive(clap::Subcommand, Debug)]
pub enum Command {
    /// Register, end and list signers
    #[command(subcommand)]
    Signer(signer::Command),
    /// Sign an event and print a body ready to publish; needs neither settings nor a database
    Sign(sign::Sign),
}

/// Runs a command.
pub fn run(command: Command, context: Context) -> Provisioning {
    Box::pin(async move {
        match command {
            Command::Signer(command) => signer::run(command, &context).await,
            Command::Sign(sign) => sign.run(),
        }
    })
}

/// The command line of what needs no context.
#[derive(clap::Parser)]
#[command(name = "trust-svc")]
enum Offline {
    Sign(sign::Sign),
}

/// Runs a command that needs no context; `None` when it is another.
pub fn offline(arguments: &[OsString]) -> Option<ExitCode> {
    if arguments.get(1)? != "sign" {
        return None;
    }
    let Offline::Sign(sign) = Offline::parse_from(arguments);
    Some(match sign.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

/// For a person at a command line, who is the operator: refusal and failure alike are told.
fn told(error: Error) -> Box<dyn StdError> {
    match error {
        Error::Refused(refusal) => refusal.message.into(),
        Error::Failed(failure) => failure.into(),
    }
}

/// A line for the operator.
fn say(line: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    writeln!(std::io::stdout(), "{line}")
}
