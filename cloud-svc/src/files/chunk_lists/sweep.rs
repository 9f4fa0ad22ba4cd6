//! Removing objects that nobody owns from the blob store: chunks of uploads that came to nothing and of files that are purged,
//! and what writers that died or lost a race have left beside the chunks of a living manifest.

use std::collections::HashSet;

use shared_model::{Error, Timestamp};
use shared_runtime::{Conn, Context};

use super::{
    chunk::prefix,
    store::{self, ToSweep},
};

/// Manifests that are read at a time.
const BATCH: i64 = 100;

/// Removes what is due; returns how many objects there were.
pub async fn remove(context: Context) -> Result<u64, Error> {
    let now = context.clock.now();
    let mut removed = 0;
    loop {
        let due = context.read(move |conn| Ok(store::to_sweep(conn, now, BATCH)?)).await?;
        for manifest in &due {
            removed += sweep(&context, *manifest).await?;
        }
        if due.is_empty() {
            return Ok(removed);
        }
    }
}

/// Its time has come an hour after its last change, so no writer is under way: every object is on record, or nobody's.
async fn sweep(context: &Context, manifest: ToSweep) -> Result<u64, Error> {
    let ToSweep { id, .. } = manifest;
    // Where it is written, which a replica of the read side may not know yet.
    let keep = context
        .write(move |conn| Ok(if store::is_owned(conn, id)? { Some(store::keys(conn, id)?) } else { None }))
        .await?;
    let is_owned = keep.is_some();
    let keep: HashSet<String> = keep.into_iter().flatten().collect();
    let removed = context.blobs.sweep(&prefix(id), keep, Timestamp::from_micros(i64::MAX)).await?;
    // The row goes last: killed before that, it is all done again.
    let note = move |conn: &mut Conn| {
        let noted = if is_owned { store::set_swept(conn, manifest) } else { store::delete(conn, id) };
        Ok(noted?)
    };
    context.write(note).await?;
    Ok(removed)
}
