//! `locker-svc export build`: makes an export, or resumes a build that was interrupted.

use std::time::Duration;

use shared_model::Failure;
use shared_runtime::Context;

use super::{
    packer::{Packed, Packer},
    request::{BuildError, BuildRequest, Progress, unfit},
    source::Source,
    start::start,
};
use crate::exports::{
    blobs,
    export::{Export, ExportState, MAX_PARTS},
    manifest, store,
};

/// Builds the export; the row, ready.
pub async fn build(
    context: &Context,
    request: BuildRequest,
    watch: &mut dyn FnMut(Progress),
) -> Result<Export, BuildError> {
    let source = Source::open(&request.path, context.blobs.folder()).map_err(BuildError::Unfit)?;
    let part_bytes = i64::try_from(request.part_bytes).unwrap_or(i64::MAX).max(1);
    let least = source.bytes.div_ceil(MAX_PARTS.unsigned_abs());
    if part_bytes.unsigned_abs() < least {
        return unfit(format!("an export has at most {MAX_PARTS} parts: choose --part-bytes {least} or more"));
    }
    let started = start(context, &request, &source, part_bytes).await?;
    if let Some(abandoned) = started.abandoned {
        blobs::remove_parts(context, &abandoned).await?;
    }
    let export = started.export;
    if export.state != ExportState::Building {
        return ready(export);
    }
    let mut packer = Packer::new(context, &export, started.parts, source.bytes, watch);
    let packed = packer.pack(source.read()).await;
    if packed.is_err() {
        packer.abandon().await;
    }
    finish(context, export, packed?, request.expires_in).await
}

async fn finish(
    context: &Context,
    mut export: Export,
    packed: Packed,
    expires_in: Option<Duration>,
) -> Result<Export, BuildError> {
    let now = context.clock.now();
    export.part_count = i64::try_from(packed.parts.len()).ok();
    export.bytes = Some(packed.bytes);
    export.sha256 = Some(packed.sha256);
    export.expires_at = expires_in.map(|span| now.plus(span));
    export.manifest = Some(manifest::signed(&export, &packed.parts, &context.secret)?);
    let stored = context
        .write(move |conn| {
            let stored = store::find(conn, export.id)?;
            if stored.as_ref().is_some_and(|stored| stored.state == ExportState::Building) {
                store::finish(conn, &export, now)?;
                return Ok(store::find(conn, export.id)?);
            }
            Ok(stored)
        })
        .await?;
    ready(stored.ok_or_else(|| Failure::fault("an export is gone"))?)
}

fn ready(export: Export) -> Result<Export, BuildError> {
    match export.state {
        ExportState::Ready => Ok(export),
        state => unfit(format!("{} is {state}: somebody has ended it meanwhile", export.id)),
    }
}
