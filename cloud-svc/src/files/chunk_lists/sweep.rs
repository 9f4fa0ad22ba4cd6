//! Removes objects from the blob store that no chunk list needs.
//!
//! They are chunks of cancelled uploads and purged files. A writer that died or lost a race leaves some, too.

use std::collections::HashSet;

use shared_model::{Error, Timestamp};
use shared_runtime::{Conn, Context};

use super::{
    chunk::prefix,
    store::{self, ToSweep},
};

const BATCH: i64 = 100;

/// Returns the number of removed objects.
pub async fn remove(context: Context) -> Result<u64, Error> {
    let now = context.clock.now();
    let mut removed = 0;
    loop {
        let due = context.read(move |conn| Ok(store::to_sweep(conn, now, BATCH)?)).await?;
        for manifest in &due {
            removed += sweep(&context, *manifest).await?;
        }
        // A swept manifest is no longer due, so the loop ends.
        if due.is_empty() {
            return Ok(removed);
        }
    }
}

// A manifest is due an hour after its last change, so no writer is still at work. Each object has a row or no owner.
async fn sweep(context: &Context, manifest: ToSweep) -> Result<u64, Error> {
    let ToSweep { id, .. } = manifest;
    // Not `read`: a replica may lag, and a chunk that it does not show yet would be deleted.
    let keep = context
        .write(move |conn| Ok(if store::is_owned(conn, id)? { Some(store::keys(conn, id)?) } else { None }))
        .await?;
    let is_owned = keep.is_some();
    let keep: HashSet<String> = keep.into_iter().flatten().collect();
    // No object is too young to be removed: the manifest itself has rested.
    let removed = context.blobs.sweep(&prefix(id), keep, Timestamp::from_micros(i64::MAX)).await?;
    // The row changes last: after a crash before this line, the next sweep does the same work again.
    let note = move |conn: &mut Conn| {
        let noted = if is_owned { store::set_swept(conn, manifest) } else { store::delete(conn, id) };
        Ok(noted?)
    };
    context.write(note).await?;
    Ok(removed)
}
