//! Locker's own commands.

pub mod attestation;
pub mod attestor;
pub mod catalogue;
pub mod export;
pub mod subscription;
mod verify_export;

use std::path::PathBuf;

use clap::Subcommand;
use shared_runtime::{
    Context,
    import::Mode,
    service::cli::{CommandFuture, Commands},
};

use self::{
    attestation::AttestationCommand, attestor::AttestorCommand, catalogue::CatalogueCommand, export::ExportCommand,
    subscription::SubscriptionCommand,
};
use crate::import;

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Import the catalogue, rooms and subscriptions of a file: all lines, or none if any line is bad
    Import {
        /// One JSON object per line: {"catalogue": {…}}, {"owner": "…", "room": {…}}, {"owner": "…", "subscription":
        /// {…}}
        file: PathBuf,
    },
    /// Follow an upstream that publishes the catalogue
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// List and change subscriptions
    #[command(subcommand)]
    Subscription(SubscriptionCommand),
    /// Register and revoke attestors, whose signatures make images trusted
    #[command(subcommand)]
    Attestor(AttestorCommand),
    /// Record and sign attestations of images
    #[command(subcommand)]
    Attestation(AttestationCommand),
    /// Build, list, revoke and verify exports, portable packages of rooms
    #[command(subcommand)]
    Export(ExportCommand),
}

impl Commands for Command {
    fn run_offline(&self) -> Option<CommandFuture> {
        match self {
            Self::Attestation(AttestationCommand::Sign(sign)) => {
                let sign = sign.clone();
                Some(Box::pin(async move { sign.run() }))
            }
            // Signing and verifying run on machines without the service's settings and database.
            Self::Export(command) => command.offline(),
            _ => None,
        }
    }

    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Import { file } => import::importer(&context).run_file(&context, &file, Mode::AllOrNothing).await,
                Self::Catalogue(command) => catalogue::run(command, &context).await,
                Self::Subscription(command) => subscription::run(command, &context).await,
                Self::Attestor(command) => attestor::run(command, &context).await,
                Self::Attestation(command) => attestation::run(command, &context).await,
                Self::Export(command) => export::run(command, &context).await,
            }
        })
    }
}
