//! `locker-svc export build`: builds an export, or resumes an interrupted build.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{Conn, Context};

use super::{
    packer::{PackedSource, Packer},
    request::{BuildError, BuildRequest, Progress, reject},
    source::Source,
};
use crate::{
    exports::{
        blobs,
        export::{Export, ExportPart, ExportState, MAX_PARTS},
        manifest,
        store::{self, NewExport},
    },
    ids::ExportId,
    rooms,
};

/// Builds the export and returns its row in the state `ready`.
pub async fn build(
    context: &Context,
    request: BuildRequest,
    watch: &mut dyn FnMut(Progress),
) -> Result<Export, BuildError> {
    let source = Source::open(&request.path, context.blobs.folder()).map_err(BuildError::Rejected)?;
    let part_bytes = i64::try_from(request.part_bytes).unwrap_or(i64::MAX).max(1);
    let least = source.bytes.div_ceil(MAX_PARTS.unsigned_abs());
    if part_bytes.unsigned_abs() < least {
        return reject(format!("an export has at most {MAX_PARTS} parts: use --part-bytes {least} or more"));
    }
    let started = start(context, &request, &source, part_bytes).await?;
    // After the transaction: a rolled back transaction must not lose blobs.
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

struct StartedBuild {
    export: Export,
    parts: Vec<ExportPart>,
    abandoned: Option<Export>,
}

async fn start(
    context: &Context,
    request: &BuildRequest,
    source: &Source,
    part_bytes: i64,
) -> Result<StartedBuild, BuildError> {
    // Drawn outside of the transaction, which may run more than once.
    let new = NewExport {
        id: request.id.unwrap_or_else(|| ExportId::from_bytes(context.random.bytes16())),
        room_id: request.room,
        source: source.path_text(),
        file_name: source.file_name.clone(),
        content_type: source.content_type().to_owned(),
        part_bytes,
        created_at: context.clock.now(),
    };
    let restart = request.restart;
    context.write(move |conn| find_or_insert(conn, &new, restart)).await?.map_err(BuildError::Rejected)
}

fn find_or_insert(conn: &mut Conn, new: &NewExport, restart: bool) -> Result<Result<StartedBuild, String>, Error> {
    if let Some(export) = store::find(conn, new.id)? {
        return resume(conn, export, new.created_at);
    }
    let Some(owner) = rooms::find_owner(conn, new.room_id)? else {
        return Ok(Err(format!("there is no room {}", new.room_id)));
    };
    // A unique index allows one unfinished build of a room and source, so a repeated command finds it here.
    let interrupted = store::find_building(conn, new.room_id, &new.source)?;
    if let Some(export) = &interrupted {
        if restart {
            store::end(conn, export.id, ExportState::Failed, new.created_at)?;
        } else if export.part_bytes == new.part_bytes {
            return resume(conn, export.clone(), new.created_at);
        } else {
            let other = format!("{} is being built from it with --part-bytes {}", export.id, export.part_bytes);
            return Ok(Err(format!("{other}: use the same size, or add --restart to abandon that build")));
        }
    }
    let export = store::insert(conn, new, &owner)?;
    Ok(Ok(StartedBuild { export, parts: Vec::new(), abandoned: interrupted }))
}

fn resume(conn: &mut Conn, export: Export, now: Timestamp) -> Result<Result<StartedBuild, String>, Error> {
    // It may have been interrupted long ago, and must not count as abandoned now.
    if export.state == ExportState::Building {
        store::touch(conn, export.id, now)?;
    }
    let parts = store::list_parts(conn, export.id, 0, MAX_PARTS)?;
    Ok(Ok(StartedBuild { export, parts, abandoned: None }))
}

async fn finish(
    context: &Context,
    mut export: Export,
    packed: PackedSource,
    expires_in: Option<Duration>,
) -> Result<Export, BuildError> {
    let now = context.clock.now();
    export.part_count = i64::try_from(packed.parts.len()).ok();
    export.bytes = Some(packed.bytes);
    export.sha256 = Some(packed.sha256);
    export.expires_at = expires_in.map(|span| now.plus(span));
    let manifest = manifest::signed(&export, &packed.parts, &context.secret)?;
    // A concurrent build of the same source may have finished first. Its manifest wins, and both commands succeed.
    let stored = context
        .write(move |conn| {
            let stored = store::find(conn, export.id)?;
            if stored.as_ref().is_some_and(|stored| stored.state == ExportState::Building) {
                store::finish(conn, &export, &manifest, now)?;
                return Ok(store::find(conn, export.id)?);
            }
            Ok(stored)
        })
        .await?;
    ready(stored.ok_or_else(|| Failure::fault("a row of an export has disappeared"))?)
}

fn ready(export: Export) -> Result<Export, BuildError> {
    match export.state {
        ExportState::Ready => Ok(export),
        state => reject(format!("{} is {state}: it was ended during the build", export.id)),
    }
}
