//! Removing what exports have left in the blob store.

use std::{collections::HashSet, time::Duration};

use shared_model::{Error, Timestamp};
use shared_runtime::Context;

use super::{
    export::{Export, MAX_PARTS},
    store,
};

/// Blobs that no row refers to are removed at this age: a younger one may be about to be recorded.
const MIN_AGE: Duration = Duration::from_secs(3600);

/// Removes every blob of an export that has ended; how many there were.
pub async fn remove_parts(context: &Context, export: &Export) -> Result<u64, Error> {
    let removed = context.blobs.sweep(&export.blob_prefix(), HashSet::new(), Timestamp::from_micros(i64::MAX)).await?;
    let (id, now) = (export.id, context.clock.now());
    context.write(move |conn| Ok(store::set_parts_removed(conn, id, now)?)).await?;
    Ok(removed)
}

/// Removes the blobs of a living export that are no parts of it, left behind by builds that were killed; how many.
pub async fn remove_unreferenced(context: &Context, export: &Export, now: Timestamp) -> Result<u64, Error> {
    let id = export.id;
    let parts = context.read(move |conn| Ok(store::parts(conn, id, 0, MAX_PARTS)?)).await?;
    let keep = parts.into_iter().map(|part| part.blob_key).collect();
    Ok(context.blobs.sweep(&export.blob_prefix(), keep, now.minus(MIN_AGE)).await?)
}
