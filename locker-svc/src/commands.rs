//! What an operator can tell the locker.

pub mod catalogue;
pub mod subscription;

use std::path::PathBuf;

use clap::Subcommand;
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
}

/// Runs a command at this desk.
pub fn run(command: Command, desk: Desk) -> Provisioning {
    Box::pin(async move {
        match command {
            Command::Import { file } => import::whole(&desk).run_file(&desk, &file).await,
            Command::Catalogue(command) => catalogue::run(command, &desk).await,
            Command::Subscription(command) => subscription::run(command, &desk).await,
        }
    })
}
