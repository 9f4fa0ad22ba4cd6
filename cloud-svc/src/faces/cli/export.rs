//! `cloud-svc export`: writes the files and folders of a workspace into a folder.

use std::{error::Error, path::PathBuf};

use clap::Args;
use shared_runtime::{Context, import::print_error_line, service::cli::error_for_operator};

use crate::{
    base::ids::{FileId, WorkspaceId},
    transfer::export::{self, Export},
    workspace,
};

/// What to export, and how.
#[derive(Args, Debug)]
pub struct ExportArguments {
    /// The workspace: ws_ and a number
    #[arg(long)]
    workspace: WorkspaceId,
    /// A file, or a folder whose files and folders are exported: file_ and a number; without it, all of them
    #[arg(long)]
    file: Option<FileId>,
    /// Write each sheet of a spreadsheet as comma-separated values as well; they are not for import
    #[arg(long)]
    csv: bool,
    /// Write documents as JSON instead of Markdown, which knows no ids, settings and annotations
    #[arg(long)]
    lossless: bool,
    /// The folder that they are written into: empty, or not there yet
    folder: PathBuf,
}

/// Exports, and says what was written.
pub async fn run(arguments: ExportArguments, context: &Context) -> Result<(), Box<dyn Error>> {
    let ExportArguments { workspace: owner, file, csv, lossless, folder } = arguments;
    if context.read(move |conn| Ok(workspace::store::find(conn, owner)?)).await.map_err(error_for_operator)?.is_none() {
        return Err(format!("There is no workspace {owner}.").into());
    }
    let exported =
        export::run(context, Export { owner, file, folder, csv, lossless }).await.map_err(error_for_operator)?;
    print_error_line(exported);
    Ok(())
}
