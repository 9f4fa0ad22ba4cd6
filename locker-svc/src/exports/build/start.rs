//! The start of a build: a new export, or the one whose build was interrupted.

use shared_model::Error;
use shared_runtime::{Conn, Context};

use super::{
    request::{BuildError, BuildRequest},
    source::Source,
};
use crate::{
    exports::{
        export::{Export, ExportState, MAX_PARTS, Part},
        store::{self, NewExport},
    },
    ids::ExportId,
    rooms,
};

/// The export to build, or one that was built before.
pub struct StartedBuild {
    /// The row.
    pub export: Export,
    /// The parts that are stored.
    pub parts: Vec<Part>,
    /// The interrupted build that was abandoned for it.
    pub abandoned: Option<Export>,
}

/// Finds the export or inserts it.
pub async fn start(
    context: &Context,
    request: &BuildRequest,
    source: &Source,
    part_bytes: i64,
) -> Result<StartedBuild, BuildError> {
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
    context.write(move |conn| find_or_insert(conn, &new, restart)).await?.map_err(BuildError::Unfit)
}

fn find_or_insert(conn: &mut Conn, new: &NewExport, restart: bool) -> Result<Result<StartedBuild, String>, Error> {
    if let Some(export) = store::find(conn, new.id)? {
        return resume(conn, export);
    }
    let Some(owner) = rooms::owner_of(conn, new.room_id)? else {
        return Ok(Err(format!("there is no room {}", new.room_id)));
    };
    let interrupted = store::building(conn, new.room_id, &new.source)?;
    if let Some(export) = &interrupted {
        if restart {
            store::end(conn, export.id, ExportState::Failed, new.created_at)?;
        } else if export.part_bytes == new.part_bytes {
            return resume(conn, export.clone());
        } else {
            let other = format!("{} is being built of it with --part-bytes {}", export.id, export.part_bytes);
            return Ok(Err(format!("{other}: use the same, or --restart to give it up")));
        }
    }
    let export = store::insert(conn, new, &owner)?;
    Ok(Ok(StartedBuild { export, parts: Vec::new(), abandoned: interrupted }))
}

fn resume(conn: &mut Conn, export: Export) -> Result<Result<StartedBuild, String>, Error> {
    let parts = store::parts(conn, export.id, 0, MAX_PARTS)?;
    Ok(Ok(StartedBuild { export, parts, abandoned: None }))
}
