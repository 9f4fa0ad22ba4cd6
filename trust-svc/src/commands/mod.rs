//! The commands of the program, apart from those that every service has.

pub mod audit;
pub mod checkpoint_file;
pub mod self_check;
pub mod sign;
pub mod signer;
pub mod verifier_key;
pub mod verify;
pub mod witness;

use std::error::Error;

use shared_runtime::{
    Context, Service,
    service::cli::{CommandFuture, Commands},
};

#[derive(clap::Subcommand, Debug)]
pub enum Command {
    /// Register, retire, revoke and list signers
    #[command(subcommand)]
    Signer(signer::SignerCommand),
    /// Check the whole log in the database of the settings, with all signatures and an older checkpoint
    SelfCheck(self_check::SelfCheckArguments),
    /// Sign an event and print a body that is ready to publish; needs no settings and no database
    Sign(sign::SignArguments),
    /// Verify offline, with its receipt, that an event was published; needs no settings and no database
    Verify(Box<verify::VerifyArguments>),
    /// Fetch a whole log and check entries, signatures, tiles and an older checkpoint; needs no settings and no
    /// database
    Audit(Box<audit::AuditArguments>),
    /// Serve a witness of other logs (C2SP tlog-witness), with a separate port and database
    Witness(Box<witness::WitnessArguments>),
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
            Self::Audit(audit) => {
                let audit = audit.clone();
                Some(Box::pin(async move { audit.run().await }))
            }
            Self::Witness(witness) if !witness.is_served() => {
                let witness = witness.clone();
                Some(Box::pin(async move { witness.print_key() }))
            }
            Self::Signer(_) | Self::SelfCheck(_) | Self::Witness(_) => None,
        }
    }

    fn served(&self) -> Result<Option<Service>, Box<dyn Error>> {
        match self {
            Self::Witness(witness) if witness.is_served() => witness.service().map(Some),
            _ => Ok(None),
        }
    }

    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Signer(command) => signer::run(command, &context).await,
                Self::SelfCheck(self_check) => self_check.run(&context).await,
                Self::Sign(sign) => sign.run(),
                Self::Verify(verify) => verify.run(),
                Self::Audit(audit) => audit.run().await,
                Self::Witness(witness) => witness.print_key(),
            }
        })
    }
}
