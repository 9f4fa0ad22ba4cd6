//! Queries of exports and their parts.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::columns};

use super::export::{Export, ExportPart, ExportState};
use crate::{
    ids::{ExportId, RoomId},
    tables::{export_parts, exports},
};

pub fn find_owned(conn: &mut Conn, owner: &str, id: ExportId) -> Result<Option<Export>, Failure> {
    Ok(exports::table.find(id).filter(exports::owner.eq(owner)).select(columns::<Export>()).first(conn).optional()?)
}

pub fn find(conn: &mut Conn, id: ExportId) -> Result<Option<Export>, Failure> {
    Ok(exports::table.find(id).select(columns::<Export>()).first(conn).optional()?)
}

/// At most `limit` exports, the newest first.
pub fn list_owned(conn: &mut Conn, owner: &str, limit: i64) -> Result<Vec<Export>, Failure> {
    let own = exports::table.filter(exports::owner.eq(owner)).order((exports::created_at.desc(), exports::id.desc()));
    Ok(own.limit(limit).select(columns::<Export>()).load(conn)?)
}

pub fn list_all(conn: &mut Conn) -> Result<Vec<Export>, Failure> {
    let all = exports::table.order((exports::created_at.desc(), exports::id.desc()));
    Ok(all.select(columns::<Export>()).load(conn)?)
}

/// Those whose parts have not been removed, or that ended after `since`.
pub fn list_to_collect(conn: &mut Conn, since: Timestamp) -> Result<Vec<Export>, Failure> {
    let with_parts = exports::table.filter(exports::parts_removed_at.is_null().or(exports::ended_at.gt(since)));
    let newest_first = with_parts.order((exports::created_at.desc(), exports::id.desc()));
    Ok(newest_first.select(columns::<Export>()).load(conn)?)
}

/// The signed manifest of a ready export, as JSON.
pub fn find_manifest(conn: &mut Conn, id: ExportId) -> Result<Option<String>, Failure> {
    Ok(exports::table.find(id).select(exports::manifest).first(conn)?)
}

/// At most `limit` parts, starting at index `from`.
pub fn list_parts(conn: &mut Conn, id: ExportId, from: i64, limit: i64) -> Result<Vec<ExportPart>, Failure> {
    let parts = export_parts::table
        .filter(export_parts::export_id.eq(id))
        .filter(export_parts::part_index.ge(from))
        .order(export_parts::part_index)
        .limit(limit)
        .load(conn)?;
    Ok(parts)
}

pub fn find_part(conn: &mut Conn, id: ExportId, index: i64) -> Result<Option<(Export, ExportPart)>, Failure> {
    let Some(export) = find(conn, id)? else { return Ok(None) };
    let part = export_parts::table.find((id, index)).first(conn).optional()?;
    Ok(part.map(|part| (export, part)))
}

/// The unfinished export of this room and source.
pub fn find_building(conn: &mut Conn, room: RoomId, source: &str) -> Result<Option<Export>, Failure> {
    let building = exports::table
        .filter(exports::room_id.eq(room))
        .filter(exports::source.eq(source))
        .filter(exports::ready_at.is_null().and(exports::ended_at.is_null()));
    Ok(building.select(columns::<Export>()).first(conn).optional()?)
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = exports)]
pub struct NewExport {
    pub id: ExportId,
    pub room_id: RoomId,
    pub source: String,
    pub file_name: String,
    pub content_type: String,
    pub part_bytes: i64,
    pub created_at: Timestamp,
}

/// Inserts an export in the state `building`.
pub fn insert(conn: &mut Conn, new: &NewExport, owner: &str) -> Result<Export, Failure> {
    diesel::insert_into(exports::table)
        .values((
            new,
            exports::owner.eq(owner),
            exports::state.eq(ExportState::Building),
            exports::epoch.eq(1),
            exports::updated_at.eq(new.created_at),
        ))
        .execute(conn)?;
    Ok(exports::table.find(new.id).select(columns::<Export>()).first(conn)?)
}

/// Inserts a part. `false` when the export already has a part with this index.
pub fn add_part(conn: &mut Conn, part: &ExportPart, now: Timestamp) -> Result<bool, Failure> {
    let added = on_each!(conn, |c| diesel::insert_into(export_parts::table)
        .values(part)
        .on_conflict((export_parts::export_id, export_parts::part_index))
        .do_nothing()
        .execute(c))?;
    // Even without a new part.
    touch(conn, part.export_id, now)?;
    Ok(added == 1)
}

/// The garbage collector then sees that the build is alive.
pub fn touch(conn: &mut Conn, id: ExportId, now: Timestamp) -> Result<(), Failure> {
    diesel::update(exports::table.find(id)).set(exports::updated_at.eq(now)).execute(conn)?;
    Ok(())
}

pub fn finish(conn: &mut Conn, built: &Export, manifest: &str, now: Timestamp) -> Result<(), Failure> {
    diesel::update(exports::table.find(built.id))
        .set((
            exports::state.eq(ExportState::Ready),
            exports::part_count.eq(built.part_count),
            exports::bytes.eq(built.bytes),
            exports::sha256.eq(&built.sha256),
            exports::manifest.eq(manifest),
            exports::expires_at.eq(built.expires_at),
            exports::ready_at.eq(now),
            exports::updated_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Ends an export. The higher epoch makes every link to its parts invalid.
pub fn end(conn: &mut Conn, id: ExportId, state: ExportState, now: Timestamp) -> Result<(), Failure> {
    diesel::update(exports::table.find(id))
        .set((
            exports::state.eq(state),
            exports::epoch.eq(exports::epoch + 1),
            exports::ended_at.eq(now),
            exports::updated_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Records that the blob store no longer has the parts.
pub fn set_parts_removed(conn: &mut Conn, id: ExportId, now: Timestamp) -> Result<(), Failure> {
    diesel::update(exports::table.find(id)).set(exports::parts_removed_at.eq(now)).execute(conn)?;
    Ok(())
}
