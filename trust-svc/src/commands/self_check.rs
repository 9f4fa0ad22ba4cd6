//! `trust-svc self-check`: the whole log of the database that the settings name, and every signature in it.

use std::{
    error::Error,
    io::{self, Write as _},
};

use shared_model::Failure;
use shared_runtime::{Context, base::progress};

use crate::{
    log::head,
    self_check::{self, CheckError, signatures},
};

/// Prints what was checked; an error names the first place that is damaged.
pub async fn run(context: &Context) -> Result<(), Box<dyn Error>> {
    let size = context.read(|conn| Ok(head::read_stored(conn)?.size)).await?;
    // Each entry is gone through twice.
    let bar = progress::bar_of(2 * size, "entries");
    let checked = self_check::run(context, |entries| bar.inc(entries)).await.map_err(told)?;
    let signed = signatures::run(context, checked.size, |entries| bar.inc(entries)).await.map_err(told)?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    writeln!(out, "intact: {} entries come to the root {}, as the head of the log says", checked.size, checked.root)?;
    writeln!(out, "intact: {signed} events have the hashes that they say, signed for {}", context.base_url())?;
    Ok(())
}

fn told(error: CheckError) -> Failure {
    error.into()
}
