//! The rows that remember what was imported.

use diesel::prelude::*;
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use shared_runtime::Conn;

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        owner::Owner,
        tables::{files as file_rows, imports},
    },
    files::{self, file::FileState},
};

/// A path within an import into a folder of a workspace, or to the top.
#[derive(Clone, Debug)]
pub struct Place {
    workspace: WorkspaceId,
    target: i64,
    path_sha256: String,
}

impl Place {
    pub fn of(workspace: WorkspaceId, target: Option<FileId>, path: &str) -> Self {
        // Hashed, because a path may be longer than an index key.
        let path_sha256 = hex::encode(Sha256::digest(path));
        // 0 for the top: the column is part of the primary key, so it cannot be NULL.
        Self { workspace, target: target.map_or(0, FileId::number), path_sha256 }
    }
}

/// What became of the file that was imported from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was never imported, or it was purged.
    New,
    There(FileId),
    /// It was imported with another content, and exists.
    Changed(FileId),
    /// It is in the trash, or inside a folder in the trash.
    InTrash(FileId),
}

/// `source_sha256` is that of the file at the source now; `None` for a folder.
pub fn standing(conn: &mut Conn, place: &Place, source_sha256: Option<&str>) -> Result<Standing, Failure> {
    let row = imports::table.find((place.workspace, place.target, &place.path_sha256));
    let found: Option<(Option<String>, FileId)> =
        row.select((imports::source_sha256, imports::file_id)).first(conn).optional()?;
    let Some((imported, id)) = found else { return Ok(Standing::New) };
    match files::store::find(conn, Owner::without_limits(place.workspace), id)? {
        Some(file) if file.state == FileState::Active => {
            let is_same = imported.as_deref() == source_sha256;
            Ok(if is_same { Standing::There(id) } else { Standing::Changed(id) })
        }
        Some(_) => Ok(Standing::InTrash(id)),
        None => {
            // Not visible: hidden by a trashed folder, or purged.
            let hidden = file_rows::table.filter(file_rows::id.eq(id).and(file_rows::purged_at.is_null()));
            let is_hidden = diesel::select(diesel::dsl::exists(hidden)).get_result::<bool>(conn)?;
            Ok(if is_hidden { Standing::InTrash(id) } else { Standing::New })
        }
    }
}

pub fn record(conn: &mut Conn, place: &Place, source_sha256: Option<&str>, id: FileId) -> Result<(), Failure> {
    // A row of a purged file may exist.
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
