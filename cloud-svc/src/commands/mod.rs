//! The cloud's own commands.

mod workspace;

use clap::Subcommand;
use shared_runtime::{
    Context,
    service::cli::{CommandFuture, Commands},
};

use self::workspace::WorkspaceCommand;

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List workspaces, and set what they may do
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
}

impl Commands for Command {
    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Workspace(command) => workspace::run(command, &context).await,
            }
        })
    }
}
