//! `locker-svc export revoke`: makes an export's links invalid and removes its parts.

use shared_model::Error;
use shared_runtime::Context;

use super::{
    blobs,
    export::ExportState::{Building, Ready, Revoked},
    store,
};
use crate::ids::ExportId;

/// `None` when there is no such export, `Some(false)` when it had already ended.
pub async fn revoke(context: &Context, id: ExportId) -> Result<Option<bool>, Error> {
    let now = context.clock.now();
    let found = context
        .write(move |conn| {
            let Some(export) = store::find(conn, id)? else { return Ok(None) };
            let is_alive = matches!(export.state, Building | Ready);
            if is_alive {
                store::end(conn, id, Revoked, now)?;
            }
            Ok(Some((export, is_alive)))
        })
        .await?;
    let Some((export, was_alive)) = found else { return Ok(None) };
    // Removed even if the export had ended before: an earlier command may have failed between the two steps.
    blobs::remove_parts(context, &export).await?;
    Ok(Some(was_alive))
}
