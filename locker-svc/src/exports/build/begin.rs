//! How a build begins: with a fresh export, or where the last build of the same source was interrupted.

use shared_model::Error;
use shared_runtime::{Conn, Context};

use super::{Export, ExportState, MAX_PARTS, Order, Part, Source, Unbuilt};
use crate::{
    exports::store::{self, NewExport},
    ids::ExportId,
    rooms,
};

/// An export to be built, or one that is there already.
pub struct Begun {
    /// Its record.
    pub export: Export,
    /// What is stored of it.
    pub parts: Vec<Part>,
    /// The export whose place it has taken.
    pub given_up: Option<Export>,
}

/// Finds the export that is ordered, or records it.
pub async fn begin(context: &Context, order: &Order, source: &Source, part_bytes: i64) -> Result<Begun, Unbuilt> {
    let new = NewExport {
        id: order.id.unwrap_or_else(|| ExportId::from_bytes(context.random.bytes16())),
        room_id: order.room,
        source: source.path_text(),
        file_name: source.file_name.clone(),
        content_type: source.content_type().to_owned(),
        part_bytes,
        created_at: context.clock.now(),
    };
    let restart = order.restart;
    context.write(move |conn| find_or_record(conn, &new, restart)).await?.map_err(Unbuilt::Source)
}

fn find_or_record(conn: &mut Conn, new: &NewExport, restart: bool) -> Result<Result<Begun, String>, Error> {
    if let Some(export) = store::find(conn, new.id)? {
        return known(conn, export);
    }
    let Some(owner) = rooms::owner_of(conn, new.room_id)? else {
        return Ok(Err(format!("there is no room {}", new.room_id)));
    };
    let interrupted = store::building(conn, new.room_id, &new.source)?;
    if let Some(export) = &interrupted {
        if restart {
            store::end(conn, export.id, ExportState::Failed, new.created_at)?;
        } else if export.part_bytes == new.part_bytes {
            return known(conn, export.clone());
        } else {
            let other = format!("{} is being built of it with --part-bytes {}", export.id, export.part_bytes);
            return Ok(Err(format!("{other}: use the same, or --restart to give it up")));
        }
    }
    let export = store::insert(conn, new, &owner)?;
    Ok(Ok(Begun { export, parts: Vec::new(), given_up: interrupted }))
}

fn known(conn: &mut Conn, export: Export) -> Result<Result<Begun, String>, Error> {
    let parts = store::parts(conn, export.id, 0, MAX_PARTS)?;
    Ok(Ok(Begun { export, parts, given_up: None }))
}
