//! What an operator can tell the locker: import the catalogue and the subscriptions.

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use shared_runtime::{
    Desk,
    cli::{self, Provisioning},
};

use crate::{
    catalogue::{self, Catalogue},
    subscriptions,
};

/// The locker's own commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// The public catalogue of room prices
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Subscriptions, as the billing system knows them
    #[command(subcommand)]
    Subscriptions(SubscriptionsCommand),
}

/// What can be done with the catalogue.
#[derive(Subcommand, Debug)]
pub enum CatalogueCommand {
    /// Put a snapshot in the place of the present one, after checking all of it
    Import {
        /// A JSON object with the members of the catalogue
        file: PathBuf,
    },
}

/// What can be done with subscriptions.
#[derive(Subcommand, Debug)]
pub enum SubscriptionsCommand {
    /// Record subscriptions, each new, in a higher version, or known already
    Import {
        /// One JSON object a line: {"owner": "…", "subscription": {…}}
        file: PathBuf,
    },
}

/// Runs a command at this desk.
pub fn run(command: Command, desk: Desk) -> Provisioning {
    Box::pin(async move {
        match command {
            Command::Catalogue(CatalogueCommand::Import { file }) => import_catalogue(&desk, &file).await,
            Command::Subscriptions(SubscriptionsCommand::Import { file }) => {
                subscriptions::IMPORTER.run_file(&desk, &file).await
            }
        }
    })
}

async fn import_catalogue(desk: &Desk, file: &Path) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let catalogue = Catalogue::parse(&text).map_err(|problems| {
        let lines = problems.iter().map(|problem| format!("\n  {} {}", problem.at, problem.rule));
        format!("{}: nothing is imported:{}", file.display(), lines.collect::<String>())
    })?;
    let version = catalogue.version.clone();
    let is_new = catalogue::import(desk, catalogue).await.map_err(cli::told)?;
    eprintln!("catalogue {version} {}", if is_new { "is imported" } else { "is the present one already" });
    Ok(())
}
