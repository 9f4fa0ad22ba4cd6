//! What has been imported, and what has become of it.

use diesel::prelude::*;
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use shared_runtime::Conn;

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        tables::{files as file_rows, imports},
    },
    files::{self, file::FileState},
};

/// A place within what is imported into a folder of a workspace, or at its top.
#[derive(Clone, Debug)]
pub struct Place {
    workspace: WorkspaceId,
    target: i64,
    path_sha256: String,
}

impl Place {
    /// The place at this path.
    pub fn of(workspace: WorkspaceId, target: Option<FileId>, path: &str) -> Self {
        let path_sha256 = hex::encode(Sha256::digest(path));
        Self { workspace, target: target.map_or(0, FileId::number), path_sha256 }
    }
}

/// What has become of the thing at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was never imported, or it is purged.
    New,
    There(FileId),
    /// Another thing was imported from this place, and is there.
    Changed(FileId),
    /// It is in the trash, or within a folder that is.
    InTrash(FileId),
}

/// What has become of a thing with this content; a folder has none.
pub fn standing(conn: &mut Conn, place: &Place, source_sha256: Option<&str>) -> Result<Standing, Failure> {
    let row = imports::table.find((place.workspace, place.target, &place.path_sha256));
    let found: Option<(Option<String>, FileId)> =
        row.select((imports::source_sha256, imports::file_id)).first(conn).optional()?;
    let Some((imported, id)) = found else { return Ok(Standing::New) };
    match files::store::find(conn, place.workspace, id)? {
        Some(file) if file.state == FileState::Active => {
            let is_same = imported.as_deref() == source_sha256;
            Ok(if is_same { Standing::There(id) } else { Standing::Changed(id) })
        }
        Some(_) => Ok(Standing::InTrash(id)),
        None => {
            let hidden = file_rows::table.filter(file_rows::id.eq(id).and(file_rows::purged_at.is_null()));
            let is_hidden = diesel::select(diesel::dsl::exists(hidden)).get_result::<bool>(conn)?;
            Ok(if is_hidden { Standing::InTrash(id) } else { Standing::New })
        }
    }
}

/// Notes what came of the thing at a place.
pub fn record(conn: &mut Conn, place: &Place, source_sha256: Option<&str>, id: FileId) -> Result<(), Failure> {
    diesel::delete(imports::table.find((place.workspace, place.target, &place.path_sha256))).execute(conn)?;
    diesel::insert_into(imports::table)
        .values((
            imports::workspace_id.eq(place.workspace),
            imports::target_id.eq(place.target),
            imports::path_sha256.eq(&place.path_sha256),
            imports::source_sha256.eq(source_sha256),
            imports::file_id.eq(id),
        ))
        .execute(conn)?;
    Ok(())
}
