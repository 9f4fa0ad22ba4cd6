//! The service's own commands: signers are registered and ended by the operator; events are signed where the key is.

pub mod sign;
pub mod signer;

use std::error::Error as StdError;

use shared_model::Error;
use shared_runtime::{
    Context,
    service::cli::{CommandFuture, Commands},
};

/// What the operator, or a signer, can do.
#[derive(clap::Subcommand, Debug)]
pub enum Command {
    /// Register, end and list signers
    #[command(subcommand)]
    Signer(signer::Command),
    /// Sign an event and print a body ready to publish; needs neither settings nor a database
    Sign(sign::Sign),
}

impl Commands for Command {
    fn run_offline(&self) -> Option<CommandFuture> {
        match self {
            Self::Sign(sign) => {
                let sign = sign.clone();
                Some(Box::pin(async move { sign.run() }))
            }
            Self::Signer(_) => None,
        }
    }

    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Signer(command) => signer::run(command, &context).await,
                Self::Sign(sign) => sign.run(),
            }
        })
    }
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
