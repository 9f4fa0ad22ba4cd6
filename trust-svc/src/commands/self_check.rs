//! `trust-svc self-check`: checks the whole log in the database of the settings, and every signature in it.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_model::Failure;
use shared_runtime::{Context, base::progress};
use trust_log::tlog::Checkpoint;

use super::checkpoint_file;
use crate::{
    log::{proven, store},
    self_check::{self, CheckError, Checked, signatures},
};

#[derive(Clone, clap::Args, Debug)]
pub struct SelfCheckArguments {
    /// File with an older checkpoint that the log must be consistent with
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
}

impl SelfCheckArguments {
    /// `Err` names the first damaged place.
    pub async fn run(self, context: &Context) -> Result<(), Box<dyn Error>> {
        let older = self.since.as_deref().map(checkpoint_file::read).transpose()?;
        let size = context.read(|conn| Ok(store::stored_head(conn)?.size)).await?;
        // Each entry is read twice: for the hashes, and for the signatures.
        let bar = progress::item_bar(2 * size, "entries");
        let checked = self_check::run(context, |entries| bar.inc(entries)).await.map_err(failure)?;
        let signed = signatures::run(context, checked.size, |entries| bar.inc(entries)).await.map_err(failure)?;
        bar.finish_and_clear();
        let mut out = io::stdout().lock();
        let Checked { size, root, .. } = checked;
        writeln!(out, "intact: {size} entries have the root {root}, like the head of the log")?;
        writeln!(out, "intact: {signed} events have valid hashes and signatures for {}", context.base_url())?;
        if let Some(older) = older {
            let older = older.checkpoint();
            require_begins_with(context, size, older.clone()).await?;
            writeln!(out, "intact: the log begins with the {} entries of the older checkpoint", older.size())?;
        }
        Ok(())
    }
}

async fn require_begins_with(context: &Context, size: u64, older: Checkpoint) -> Result<(), Box<dyn Error>> {
    let then = older.size();
    if then > size {
        return Err(format!(
            "the older checkpoint has {then} entries, but the log has {size}: the log was rolled back"
        )
        .into());
    }
    // The stored hashes were compared with the entries already, so the older root can be computed from them.
    let root = context.read(move |conn| Ok(proven::root_at(conn, then)?)).await?;
    if root != older.root() {
        let rule =
            format!("the older checkpoint of {then} entries must have the root {root}, and has {}", older.root());
        return Err(rule.into());
    }
    Ok(())
}

fn failure(error: CheckError) -> Failure {
    error.into()
}
