//! What an operator can tell the orders service: import orders, open and close.

use std::path::PathBuf;

use clap::Subcommand;
use shared_runtime::{
    Desk,
    cli::{self, Provisioning},
};

use crate::{ordering, orders};

/// The orders service's own commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Record orders, each new, in a higher version, or known already
    Import {
        /// One JSON object a line: {"owner": "…", "order": {…}}
        file: PathBuf,
    },
    /// Whether the Orders API answers with orders or with 403 ordering_closed
    #[command(subcommand)]
    Ordering(OrderingCommand),
}

/// What can be done with the switch.
#[derive(Subcommand, Debug)]
pub enum OrderingCommand {
    /// Answer with orders
    Open,
    /// Answer with 403 ordering_closed
    Close,
}

/// Runs a command at this desk.
pub fn run(command: Command, desk: Desk) -> Provisioning {
    Box::pin(async move {
        match command {
            Command::Import { file } => orders::IMPORTER.run_file(&desk, &file).await,
            Command::Ordering(OrderingCommand::Open) => ordering::set(&desk, true).await.map_err(cli::told),
            Command::Ordering(OrderingCommand::Close) => ordering::set(&desk, false).await.map_err(cli::told),
        }
    })
}
