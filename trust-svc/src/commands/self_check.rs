//! `trust-svc self-check`: the whole log of the database that the settings name, and every signature in it.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use shared_model::Failure;
use shared_runtime::{Conn, Context, base::progress};

use super::checkpoint_file;
use crate::{
    log::{head, store},
    merkle::prove,
    self_check::{self, CheckError, Checked, signatures},
    tlog::Checkpoint,
};

/// Checks a log where it is kept.
#[derive(Clone, clap::Args, Debug)]
pub struct SelfCheckArguments {
    /// File with an older checkpoint, which the log must still be consistent with
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
}

impl SelfCheckArguments {
    /// Prints what was checked; an error names the first place that is damaged.
    pub async fn run(self, context: &Context) -> Result<(), Box<dyn Error>> {
        let older = self.since.as_deref().map(checkpoint_file::read).transpose()?;
        let size = context.read(|conn| Ok(head::read_stored(conn)?.size)).await?;
        // Each entry is gone through twice.
        let bar = progress::bar_of(2 * size, "entries");
        let checked = self_check::run(context, |entries| bar.inc(entries)).await.map_err(told)?;
        let signed = signatures::run(context, checked.size, |entries| bar.inc(entries)).await.map_err(told)?;
        bar.finish_and_clear();
        let mut out = io::stdout().lock();
        let Checked { size, root, .. } = checked;
        writeln!(out, "intact: {size} entries come to the root {root}, as the head of the log says")?;
        writeln!(out, "intact: {signed} events have the hashes that they say, signed for {}", context.base_url())?;
        if let Some(older) = older {
            let older = older.checkpoint();
            begins_with(context, size, older.clone()).await?;
            writeln!(out, "intact: the log begins with the {} entries of the older checkpoint", older.size())?;
        }
        Ok(())
    }
}

/// The hashes of a log of this size are checked already: its older root follows from them.
async fn begins_with(context: &Context, size: u64, older: Checkpoint) -> Result<(), Box<dyn Error>> {
    let then = older.size();
    if then > size {
        return Err(
            format!("the older checkpoint had {then} entries, and the log has {size}: it was rolled back").into()
        );
    }
    let frontier = move |conn: &mut Conn| {
        Ok(prove::frontier(then, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?)
    };
    let root = context.read(frontier).await?.root();
    if root != older.root() {
        let rule =
            format!("the older checkpoint of {then} entries must have the root {root}, and has {}", older.root());
        return Err(rule.into());
    }
    Ok(())
}

fn told(error: CheckError) -> Failure {
    error.into()
}
