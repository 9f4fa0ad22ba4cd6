//! The service's own commands: signers are registered and ended by the operator; events are signed where the key is.

pub mod self_check;
pub mod sign;
pub mod signer;
pub mod verify;

use shared_runtime::{
    Context,
    service::cli::{CommandFuture, Commands},
};

/// What the operator, or a signer, can do.
#[derive(clap::Subcommand, Debug)]
pub enum Command {
    /// Register, end and list signers
    #[command(subcommand)]
    Signer(signer::SignerCommand),
    /// Check the whole log of the database that the settings name, and every signature in it
    SelfCheck,
    /// Sign an event and print a body ready to publish; needs neither settings nor a database
    Sign(sign::SignArguments),
    /// Verify offline, by its receipt, that an event was published; needs neither settings nor a database
    Verify(Box<verify::VerifyArguments>),
}

impl Commands for Command {
    fn run_offline(&self) -> Option<CommandFuture> {
        match self {
            Self::Sign(sign) => {
                let sign = sign.clone();
                Some(Box::pin(async move { sign.run() }))
            }
            Self::Verify(verify) => {
                let verify = verify.clone();
                Some(Box::pin(async move { verify.run() }))
            }
            Self::Signer(_) | Self::SelfCheck => None,
        }
    }

    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Signer(command) => signer::run(command, &context).await,
                Self::SelfCheck => self_check::run(&context).await,
                Self::Sign(sign) => sign.run(),
                Self::Verify(verify) => verify.run(),
            }
        })
    }
}
