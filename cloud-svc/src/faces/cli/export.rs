//! `cloud-svc export`: writes the files of a workspace to a folder.

use std::{error::Error, path::PathBuf};

use clap::Args;
use shared_runtime::{Context, import::print_error_line, service::cli::error_for_operator};

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        owner::Owner,
    },
    transfer::export::{self, Export},
    workspace,
};

#[derive(Args, Debug)]
pub struct ExportArguments {
    /// The workspace: ws_ and a number
    #[arg(long)]
    workspace: WorkspaceId,
    /// The file or folder to export: file_ and a number [default: the whole workspace]
    #[arg(long)]
    file: Option<FileId>,
    /// Also write each sheet as CSV, which cannot be imported unchanged
    #[arg(long)]
    csv: bool,
    /// Also write each spreadsheet as a workbook for spreadsheet programs (.xlsx)
    #[arg(long)]
    xlsx: bool,
    /// Write documents as JSON: Markdown has no ids, settings and annotations
    #[arg(long)]
    lossless: bool,
    /// The target folder: empty or new
    folder: PathBuf,
}

pub async fn run(arguments: ExportArguments, context: &Context) -> Result<(), Box<dyn Error>> {
    let ExportArguments { workspace: owner, file, csv, xlsx, lossless, folder } = arguments;
    // A mistyped id would otherwise export an empty folder.
    if context.read(move |conn| Ok(workspace::store::find(conn, owner)?)).await.map_err(error_for_operator)?.is_none() {
        return Err(format!("There is no workspace {owner}.").into());
    }
    let exported =
        export::run(context, Export { owner: Owner::without_limits(owner), file, folder, csv, xlsx, lossless })
            .await
            .map_err(error_for_operator)?;
    print_error_line(exported);
    Ok(())
}
