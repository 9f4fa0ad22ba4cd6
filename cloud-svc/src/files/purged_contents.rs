//! Deletes purged files that are not folders, as far as one transaction should go.
// A file can have a hundred thousand versions, and a version megabytes. Other writes wait for the transaction.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::chunk_lists;
use crate::{
    base::{
        id_list,
        ids::{FileId, PlanId, UploadId, VersionId, WorkspaceId},
        tables::{comments, edit_plans, files, moved_anchors, versions},
    },
    workspace,
};

/// What a transaction may still delete.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    rows: i64,
    bytes: i64,
}

impl Room {
    /// For one batch of a purge.
    pub const OF_A_BATCH: Self = Self { rows: 5_000, bytes: 67_108_864 };

    pub fn is_used_up(self) -> bool {
        self.rows <= 0 || self.bytes <= 0
    }

    /// The first rows for which there is room. The last one may have more bytes than that, so each batch makes progress.
    fn take<T>(&mut self, rows: Vec<T>, bytes: impl Fn(&T) -> i64) -> Vec<T> {
        let fitting = rows.into_iter().take_while(|row| {
            let fits = !self.is_used_up();
            if fits {
                self.rows -= 1;
                self.bytes -= bytes(row);
            }
            fits
        });
        fitting.collect()
    }
}

/// Deletes these files and gives their storage back; returns how many. If the room is used up before, it has deleted
/// some of them, or only parts.
pub fn delete(
    conn: &mut Conn,
    owner: WorkspaceId,
    ids: &[FileId],
    at: Timestamp,
    room: &mut Room,
) -> Result<i64, Failure> {
    if ids.is_empty() {
        return Ok(0);
    }
    let mut freed = 0;
    let deleted = in_steps(conn, ids, at, room, &mut freed)?;
    workspace::store::give_back(conn, owner, freed)?;
    Ok(deleted)
}

fn in_steps(conn: &mut Conn, ids: &[FileId], at: Timestamp, room: &mut Room, freed: &mut i64) -> Result<i64, Failure> {
    *freed += delete_plans(conn, ids, room)?;
    if !room.is_used_up() {
        delete_retired_ids(conn, ids, room)?;
    }
    if !room.is_used_up() {
        *freed += delete_old_versions(conn, ids, at, room)?;
    }
    if room.is_used_up() {
        return Ok(0);
    }
    let (deleted, bytes) = delete_files(conn, ids, at, room)?;
    *freed += bytes;
    Ok(deleted)
}

fn delete_plans(conn: &mut Conn, ids: &[FileId], room: &mut Room) -> Result<i64, Failure> {
    let found: Vec<(PlanId, i64)> = on_each!(conn, |c| edit_plans::table
        .filter(edit_plans::file_id.eq_any(ids))
        .select((edit_plans::id, edit_plans::content_bytes + edit_plans::text_bytes))
        .limit(room.rows)
        .load(c))?;
    let taken = room.take(found, |(_, bytes)| *bytes);
    let plans: Vec<PlanId> = taken.iter().map(|(id, _)| *id).collect();
    if !plans.is_empty() {
        on_each!(conn, |c| diesel::delete(edit_plans::table.filter(edit_plans::id.eq_any(plans))).execute(c))?;
    }
    Ok(taken.iter().map(|(_, bytes)| bytes).sum())
}

fn delete_retired_ids(conn: &mut Conn, ids: &[FileId], room: &mut Room) -> Result<(), Failure> {
    let (before, after) = id_list::condition(conn, "file_id");
    let some = |row: &str| format!("SELECT {row} FROM gone_parts WHERE {before}$1{after} LIMIT $2");
    let sql = match conn {
        Conn::Sqlite(_) => format!("DELETE FROM gone_parts WHERE rowid IN ({})", some("rowid")),
        Conn::Postgres(_) => format!("DELETE FROM gone_parts WHERE ctid = ANY(ARRAY({}))", some("ctid")),
    };
    let files = id_list::parameter(conn, ids.iter().map(|id| id.number()));
    let delete = sql_query(sql).bind::<Text, _>(files).bind::<BigInt, _>(room.rows);
    let deleted = on_each!(conn, |c| prepared(delete).execute(c))?;
    room.rows -= i64::try_from(deleted).unwrap_or(i64::MAX);
    Ok(())
}

/// Deletes versions that are not current. Each file keeps one until it is deleted: the index of the search reads it.
fn delete_old_versions(conn: &mut Conn, ids: &[FileId], at: Timestamp, room: &mut Room) -> Result<i64, Failure> {
    let found: Vec<(VersionId, i64, Option<UploadId>)> = on_each!(conn, |c| versions::table
        .inner_join(files::table.on(files::id.eq(versions::file_id)))
        .filter(files::id.eq_any(ids).and(versions::number.nullable().ne(files::current_version)))
        .select((versions::id, versions::content_bytes, versions::manifest_id))
        .limit(room.rows)
        .load(c))?;
    let taken = room.take(found, |(_, bytes, manifest)| bytes_in_row(*bytes, *manifest));
    let old: Vec<VersionId> = taken.iter().map(|(id, ..)| *id).collect();
    let manifests: Vec<UploadId> = taken.iter().filter_map(|(_, _, manifest)| *manifest).collect();
    if !old.is_empty() {
        chunk_lists::store::release(conn, &manifests, at)?;
        on_each!(conn, |c| diesel::delete(versions::table.filter(versions::id.eq_any(old))).execute(c))?;
    }
    Ok(taken.iter().map(|(_, bytes, _)| bytes).sum())
}

/// Deletes files that have at most one version, with all that is left of them.
fn delete_files(conn: &mut Conn, ids: &[FileId], at: Timestamp, room: &mut Room) -> Result<(i64, i64), Failure> {
    let found: Vec<(FileId, Option<i64>, Option<UploadId>)> = on_each!(conn, |c| files::table
        .left_join(versions::table.on(versions::file_id.eq(files::id)))
        .filter(files::id.eq_any(ids))
        .select((files::id, versions::content_bytes.nullable(), versions::manifest_id.nullable()))
        .load(c))?;
    let taken = room.take(found, |(_, bytes, manifest)| bytes_in_row(bytes.unwrap_or_default(), *manifest));
    let ids: Vec<FileId> = taken.iter().map(|(id, ..)| *id).collect();
    let manifests: Vec<UploadId> = taken.iter().filter_map(|(_, _, manifest)| *manifest).collect();
    let of_comments = bytes_of_comments(conn, &ids)?;
    chunk_lists::store::release(conn, &manifests, at)?;
    on_each!(conn, |c| {
        diesel::delete(comments::table.filter(comments::file_id.eq_any(&ids))).execute(c)?;
        diesel::delete(versions::table.filter(versions::file_id.eq_any(&ids))).execute(c)?;
        diesel::delete(files::table.filter(files::id.eq_any(&ids))).execute(c)?;
    });
    let of_versions: i64 = taken.iter().filter_map(|(_, bytes, _)| *bytes).sum();
    Ok((i64::try_from(ids.len()).unwrap_or(i64::MAX), of_versions + of_comments))
}

/// The content of an upload is in the blob store, where a sweep removes it.
fn bytes_in_row(bytes: i64, manifest: Option<UploadId>) -> i64 {
    if manifest.is_some() { 0 } else { bytes }
}

/// What the comments on these files take of the workspace's storage.
pub fn bytes_of_comments(conn: &mut Conn, ids: &[FileId]) -> Result<i64, Failure> {
    let texts: i64 = on_each!(conn, |c| comments::table
        .filter(comments::file_id.eq_any(ids))
        .select(sql::<BigInt>("CAST(coalesce(sum(octet_length(text)), 0) AS BIGINT)"))
        .get_result(c))?;
    let anchors: i64 = on_each!(conn, |c| moved_anchors::table
        .inner_join(comments::table)
        .filter(comments::file_id.eq_any(ids))
        .select(sql::<BigInt>("CAST(coalesce(sum(moved_anchors.counted_bytes), 0) AS BIGINT)"))
        .get_result(c))?;
    Ok(texts + anchors)
}
