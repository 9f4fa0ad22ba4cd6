//! Removes blobs that exports no longer need.

use std::{collections::HashSet, time::Duration};

use shared_model::{Error, Timestamp};
use shared_runtime::Context;

use super::{
    export::{Export, MAX_PARTS},
    store,
};

// A second build of the same source removes its own blobs when it sees that the first was faster. Younger ones are left
// to it.
const MIN_UNREFERENCED_AGE: Duration = Duration::from_secs(3600);

/// Removes all blobs of an export that has ended. Returns their number.
pub async fn remove_parts(context: &Context, export: &Export) -> Result<u64, Error> {
    let removed = context.blobs.sweep(&export.blob_prefix(), HashSet::new(), Timestamp::from_micros(i64::MAX)).await?;
    let (id, now) = (export.id, context.clock.now());
    context.write(move |conn| Ok(store::set_parts_removed(conn, id, now)?)).await?;
    Ok(removed)
}

/// Removes the blobs of a ready export that are not parts of it: killed builds left them. Returns their number. Not for
/// an export that is being built: its newest blob may have no row yet.
pub async fn remove_unreferenced(context: &Context, export: &Export, now: Timestamp) -> Result<u64, Error> {
    let id = export.id;
    let parts = context.read(move |conn| Ok(store::list_parts(conn, id, 0, MAX_PARTS)?)).await?;
    let keep = parts.into_iter().map(|part| part.blob_key).collect();
    Ok(context.blobs.sweep(&export.blob_prefix(), keep, now.minus(MIN_UNREFERENCED_AGE)).await?)
}
