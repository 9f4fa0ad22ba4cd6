//! What an operator can tell the locker.

pub mod attestation;
pub mod attestor;
pub mod catalogue;
pub mod subscription;

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use shared_runtime::{Desk, cli::Provisioning};

use crate::import;

/// The locker's own commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Record the catalogue, rooms and subscriptions of a file: all of it, or nothing and why not
    Import {
        /// One JSON object a line: {"catalogue": {…}}, {"owner": "…", "room": {…}}, {"owner": "…", "subscription": {…}}
        file: PathBuf,
    },
    /// Where the public catalogue comes from
    #[command(subcommand)]
    Catalogue(catalogue::Command),
    /// Subscriptions, as the billing system knows them
    #[command(subcommand)]
    Subscription(subscription::Command),
    /// Whose signature makes an image good
    #[command(subcommand)]
    Attestor(attestor::Command),
    /// What attestors say of images
    #[command(subcommand)]
    Attestation(attestation::Command),
}

/// Runs a command at this desk.
pub fn run(command: Command, desk: Desk) -> Provisioning {
    Box::pin(async move {
        match command {
            Command::Import { file } => import::whole(&desk).run_file(&desk, &file).await,
            Command::Catalogue(command) => catalogue::run(command, &desk).await,
            Command::Subscription(command) => subscription::run(command, &desk).await,
            Command::Attestor(command) => attestor::run(command, &desk).await,
            Command::Attestation(command) => attestation::run(command, &desk).await,
        }
    })
}

/// The command line of what needs no desk.
#[derive(Parser)]
#[command(name = "locker-svc")]
enum Offline {
    #[command(subcommand)]
    Attestation(OfflineAttestation),
}

#[derive(Subcommand)]
enum OfflineAttestation {
    Sign(attestation::Sign),
}

/// Runs a command that needs no desk, where the key is: without settings, without a database. `None` when it is another.
pub fn offline(arguments: &[OsString]) -> Option<ExitCode> {
    if arguments.get(1)? != "attestation" || arguments.get(2)? != "sign" {
        return None;
    }
    let Offline::Attestation(OfflineAttestation::Sign(sign)) = Offline::parse_from(arguments);
    Some(match sign.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    })
}
