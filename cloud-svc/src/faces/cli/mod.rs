//! The commands of the cloud service.

mod export;
mod import;
mod receipts;
mod search;
mod workspace;

use clap::Subcommand;
use shared_runtime::{
    Context,
    service::cli::{CommandFuture, Commands},
};

use self::{
    export::ExportArguments, import::ImportArguments, receipts::ReceiptsCommand, search::SearchCommand,
    workspace::WorkspaceCommand,
};

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Import files and folders into a workspace
    Import(ImportArguments),
    /// Write the files and folders of a workspace into a folder
    Export(ExportArguments),
    /// List workspaces and set their quotas and policies
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Check or rebuild the index of the content search
    #[command(subcommand)]
    Search(SearchCommand),
    /// Export signed receipts of decisions, and verify them offline
    #[command(subcommand)]
    Receipts(ReceiptsCommand),
}

impl Commands for Command {
    fn run_offline(&self) -> Option<CommandFuture> {
        match self {
            Self::Receipts(ReceiptsCommand::Verify(verify)) => {
                let verify = verify.clone();
                Some(Box::pin(async move { verify.run() }))
            }
            _ => None,
        }
    }

    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Import(arguments) => import::run(arguments, &context).await,
                Self::Export(arguments) => export::run(arguments, &context).await,
                Self::Workspace(command) => workspace::run(command, &context).await,
                Self::Search(command) => search::run(command, &context).await,
                Self::Receipts(command) => receipts::run(command, &context).await,
            }
        })
    }
}
