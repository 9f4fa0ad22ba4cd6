//! `cloud-svc search`: checks and rebuilds the index of the content search.

use std::{
    error::Error,
    io::{self, Write as _},
};

use clap::{Args, Subcommand};
use shared_runtime::{Context, import::print_error_line, service::cli::error_for_operator};

use crate::{
    base::ids::WorkspaceId,
    files::content_search::index::{check, rebuild},
    workspace::store,
};

// In batches: there may be more workspaces than fit into memory.
const BATCH: i64 = 500;

#[derive(Subcommand, Debug)]
pub enum SearchCommand {
    /// Compare the index with the texts of all files; print each file that differs, and exit with 1 if there is one
    Check(Which),
    /// Rebuild the index from the texts of all files; the service may run meanwhile
    Rebuild(Which),
}

#[derive(Args, Debug)]
pub struct Which {
    /// The workspace: ws_ and a number [default: all]
    #[arg(long)]
    workspace: Option<WorkspaceId>,
}

pub async fn run(command: SearchCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        SearchCommand::Check(which) => check(which, context).await,
        SearchCommand::Rebuild(which) => {
            for owner in owners(which, context).await? {
                rebuild::rebuild(context, owner).await.map_err(error_for_operator)?;
                print_error_line(format!("{owner}: the index is new"));
            }
            Ok(())
        }
    }
}

async fn check(which: Which, context: &Context) -> Result<(), Box<dyn Error>> {
    let mut count = 0;
    for owner in owners(which, context).await? {
        let differences = check::check(context, owner).await.map_err(error_for_operator)?;
        count += differences.len();
        for check::Difference { file, what } in differences {
            // Unlike `println!` this is an error and no panic if a pipe is closed.
            writeln!(io::stdout(), "{owner} {file}: {what}")?;
        }
    }
    match count {
        0 => {
            print_error_line("The index is as the files are.");
            Ok(())
        }
        _ => Err(format!("The index differs in {count} places; `search rebuild` repairs it.").into()),
    }
}

async fn owners(Which { workspace }: Which, context: &Context) -> Result<Vec<WorkspaceId>, Box<dyn Error>> {
    if let Some(id) = workspace {
        let found = context.read(move |conn| Ok(store::find(conn, id)?)).await.map_err(error_for_operator)?;
        return found.map(|_| vec![id]).ok_or_else(|| format!("There is no workspace {id}.").into());
    }
    let (mut owners, mut after) = (Vec::new(), WorkspaceId::from_number(0));
    loop {
        let found = context.read(move |conn| Ok(store::list(conn, after, BATCH)?)).await.map_err(error_for_operator)?;
        let Some(last) = found.last() else { return Ok(owners) };
        after = last.id;
        owners.extend(found.into_iter().map(|workspace| workspace.id));
    }
}
