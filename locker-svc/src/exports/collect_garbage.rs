//! `locker-svc export gc`: ends expired and abandoned exports, and removes blobs without a row.

use std::time::Duration;

use shared_model::{Error, Timestamp};
use shared_runtime::Context;

use super::{
    blobs,
    export::{
        Export,
        ExportState::{self, Building, Expired, Failed, Ready, Revoked},
    },
    store,
};

/// How long after its end the parts of an export are looked for again. A killed build, or a command with another store,
/// may have left some.
const RECHECKED_FOR: Duration = Duration::from_secs(7 * 86_400);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GarbageReport {
    pub expired: u64,
    pub given_up: u64,
    pub blobs: u64,
}

/// A build counts as abandoned when it stored its last part `abandoned_after` ago. If some exports fail, the others are
/// done, and the last failure is returned.
pub async fn collect_garbage(context: &Context, abandoned_after: Duration) -> Result<GarbageReport, Error> {
    let now = context.clock.now();
    let mut collected = GarbageReport::default();
    let mut failed = None;
    for export in context.read(move |conn| Ok(store::list_to_collect(conn, now.minus(RECHECKED_FOR))?)).await? {
        if let Err(error) = collected.collect(context, &export, abandoned_after, now).await {
            tracing::error!(%error, export = %export.id, "the blobs of an export cannot be removed");
            failed = Some(error);
        }
    }
    failed.map_or(Ok(collected), Err)
}

impl GarbageReport {
    async fn collect(
        &mut self,
        context: &Context,
        export: &Export,
        abandoned_after: Duration,
        now: Timestamp,
    ) -> Result<(), Error> {
        let ends_as = match export.state_at(now) {
            Expired if export.state == Ready => Some(Expired),
            Building if export.updated_at.plus(abandoned_after) <= now => Some(Failed),
            _ => None,
        };
        if let Some(state) = ends_as {
            if end_unless_changed(context, export, state, now).await? {
                self.expired += u64::from(state == Expired);
                self.given_up += u64::from(state == Failed);
                self.blobs += blobs::remove_parts(context, export).await?;
            }
            return Ok(());
        }
        self.blobs += match export.state {
            // A build stores a blob before its row. No age shows that the row is not coming. A bucket dates a blob from
            // the start of its upload, which may take hours.
            Building => 0,
            Ready => blobs::remove_unreferenced(context, export, now).await?,
            Failed | Expired | Revoked => blobs::remove_parts(context, export).await?,
        };
        Ok(())
    }
}

// The list was read outside of this transaction. A build may have continued since then, and must not be ended.
async fn end_unless_changed(
    context: &Context,
    export: &Export,
    state: ExportState,
    now: Timestamp,
) -> Result<bool, Error> {
    let (id, seen) = (export.id, export.updated_at);
    context
        .write(move |conn| {
            let is_unchanged = store::find(conn, id)?.is_some_and(|export| export.updated_at == seen);
            if is_unchanged {
                store::end(conn, id, state, now)?;
            }
            Ok(is_unchanged)
        })
        .await
}
