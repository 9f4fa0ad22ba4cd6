//! The end of an export: revoked, expired, given up; and the removal of what it has left in the blob store.

use std::{collections::HashSet, time::Duration};

use shared_model::{Error, Timestamp};
use shared_runtime::Context;

use super::{Export, ExportState, MAX_PARTS, store};
use crate::ids::ExportId;

/// Blobs that nothing refers to are removed when they are this old: a younger one may be about to be recorded.
const UNREFERENCED: Duration = Duration::from_secs(3600);

/// Withdraws an export: links to it are void at once, and its parts are removed. `None` when there is no such export,
/// `Some(false)` when it had ended before.
pub async fn revoke(context: &Context, id: ExportId) -> Result<Option<bool>, Error> {
    let now = context.clock.now();
    let found = context
        .write(move |conn| {
            let Some(export) = store::find(conn, id)? else { return Ok(None) };
            let lives = matches!(export.state, ExportState::Building | ExportState::Ready);
            if lives {
                store::end(conn, id, ExportState::Revoked, now)?;
            }
            Ok(Some((export, lives)))
        })
        .await?;
    let Some((export, lived)) = found else { return Ok(None) };
    if export.parts_removed_at.is_none() {
        remove_parts(context, &export).await?;
    }
    Ok(Some(lived))
}

/// What garbage collection came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Exports whose time is over.
    pub expired: u64,
    /// Builds that nobody has gone on with.
    pub given_up: u64,
    /// Blobs that are gone.
    pub blobs: u64,
}

/// Ends what has expired and builds that rested for `abandoned_after`, and removes what nothing refers to.
pub async fn collect_garbage(context: &Context, abandoned_after: Duration) -> Result<Collected, Error> {
    let now = context.clock.now();
    let mut collected = Collected::default();
    for export in context.read(|conn| Ok(store::all(conn)?)).await? {
        let end = match export.state_at(now) {
            ExportState::Expired if export.state == ExportState::Ready => Some(ExportState::Expired),
            ExportState::Building if export.updated_at.plus(abandoned_after) <= now => Some(ExportState::Failed),
            _ => None,
        };
        if let Some(state) = end {
            collected.expired += u64::from(state == ExportState::Expired);
            collected.given_up += u64::from(state == ExportState::Failed);
            let (id, was) = (export.id, export.updated_at);
            let ended = context
                .write(move |conn| {
                    let unmoved = store::find(conn, id)?.is_some_and(|export| export.updated_at == was);
                    if unmoved {
                        store::end(conn, id, state, now)?;
                    }
                    Ok(unmoved)
                })
                .await?;
            if ended {
                collected.blobs += remove_parts(context, &export).await?;
            }
        } else if matches!(export.state, ExportState::Building | ExportState::Ready) {
            collected.blobs += remove_unreferenced(context, &export, now).await?;
        } else if export.parts_removed_at.is_none() {
            collected.blobs += remove_parts(context, &export).await?;
        }
    }
    Ok(collected)
}

/// Rids the blob store of all that an export that has ended has there.
pub(super) async fn remove_parts(context: &Context, export: &Export) -> Result<u64, Error> {
    let removed = context.blobs.sweep(&export.blob_prefix(), HashSet::new(), Timestamp::from_micros(i64::MAX)).await?;
    let (id, now) = (export.id, context.clock.now());
    context.write(move |conn| Ok(store::parts_removed(conn, id, now)?)).await?;
    Ok(removed)
}

async fn remove_unreferenced(context: &Context, export: &Export, now: Timestamp) -> Result<u64, Error> {
    let id = export.id;
    let parts = context.read(move |conn| Ok(store::parts(conn, id, 0, MAX_PARTS)?)).await?;
    let keep = parts.into_iter().map(|part| part.blob_key).collect();
    Ok(context.blobs.sweep(&export.blob_prefix(), keep, now.minus(UNREFERENCED)).await?)
}
