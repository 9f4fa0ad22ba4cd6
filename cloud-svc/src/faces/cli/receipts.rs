//! `cloud-svc receipts`: exports the receipts of a workspace, and verifies them offline.

use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufReader, Write as _},
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use cloud_receipts::{chain, keys::Keys};
use shared_model::text::printable;
use shared_runtime::{Context, service::cli::error_for_operator};

use crate::{
    base::{ids::WorkspaceId, owner::Owner, receipt_key},
    edits::receipts::{
        head, keys,
        store::{self, Filter},
    },
    workspace,
};

// In batches: there may be more receipts than fit into memory.
const BATCH: i64 = 500;

#[derive(Subcommand, Debug)]
pub enum ReceiptsCommand {
    /// Print all receipts of a workspace and then their head, one JSON object per line
    Export {
        /// The workspace: ws_ and a number
        #[arg(long)]
        workspace: WorkspaceId,
    },
    /// Print the public keys that verify receipts, as JSON
    Keys,
    /// Verify receipts offline; needs no settings and no database
    Verify(VerifyReceipts),
}

#[derive(Args, Clone, Debug)]
pub struct VerifyReceipts {
    /// All receipts of a workspace in order and then their head, one JSON object per line
    file: PathBuf,
    /// The public keys that you trust, as /v1/receipts/keys answers them
    #[arg(long)]
    keys: PathBuf,
    /// A head that you fetched earlier: the receipts must continue from it
    #[arg(long, value_name = "FILE")]
    seen: Vec<PathBuf>,
}

pub async fn run(command: ReceiptsCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        ReceiptsCommand::Export { workspace } => export(workspace, context).await,
        ReceiptsCommand::Keys => {
            let found = context.read(|conn| Ok(store::keys(conn)?)).await.map_err(error_for_operator)?;
            let keys = keys::records(found, &receipt_key::signer(context));
            Ok(writeln!(io::stdout(), "{}", serde_json::to_string(&keys::KeysAnswer { keys })?)?)
        }
        ReceiptsCommand::Verify(verify) => verify.run(),
    }
}

async fn export(owner: WorkspaceId, context: &Context) -> Result<(), Box<dyn Error>> {
    let find =
        move |conn: &mut _| Ok((workspace::store::find(conn, owner)?, store::last(conn, owner)?, store::keys(conn)?));
    let (workspace, last, known) = context.read(find).await.map_err(error_for_operator)?;
    workspace.ok_or_else(|| format!("There is no workspace {owner}."))?;
    let signer = receipt_key::signer(context);
    if !known.iter().any(|(id, ..)| id == signer.key_id()) {
        let message = "The service has not published this key. Set RECEIPT_SIGNING_KEY as the service has it.";
        return Err(message.into());
    }
    let end = last.as_ref().map_or(0, |last| last.sequence);
    let mut after = 0;
    // Up to the end of the beginning: the head must name the last that is printed, and the service may run meanwhile.
    while after < end {
        let (filter, rows) =
            (Filter { owner: Owner::without_limits(owner), file: None, plan: None }, BATCH.min(end - after));
        let found = context.read(move |conn| Ok(store::list(conn, filter, after, rows)?)).await;
        let found = found.map_err(error_for_operator)?;
        let Some((last, _)) = found.last() else { break };
        after = *last;
        found.iter().try_for_each(|(_, receipt)| print(receipt))?;
    }
    print(&head::sign(&signer, owner, last, context.clock.now())?)
}

fn print(signed: &impl serde::Serialize) -> Result<(), Box<dyn Error>> {
    // Unlike `println!` this is an error and no panic if a pipe is closed.
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string(signed)?)?)
}

impl VerifyReceipts {
    /// An error if anything is altered, missing or out of order.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let Self { file, keys, seen } = self;
        // Before the receipts: without keys there is nothing to say about them.
        let keys = Keys::parse(&read(keys)?).map_err(|rule| format!("{}: {rule}", keys.display()))?;
        let seen = seen.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        let lines = BufReader::new(File::open(file).map_err(|error| format!("{}: {error}", file.display()))?);
        let verified = chain::verify(lines, &keys, &seen).map_err(|rule| format!("{}: {rule}", file.display()))?;
        let chain::Verified { workspace_id, receipts, head_at } = verified;
        let (workspace, at) = (printable(&workspace_id), printable(&head_at));
        Ok(writeln!(io::stdout(), "{workspace}: all {receipts} receipts up to {at} hold")?)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
