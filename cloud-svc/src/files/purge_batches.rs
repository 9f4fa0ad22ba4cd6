//! Deletes purged files in batches.
// A folder may hold more files than one transaction should delete. It is hidden immediately, and its files are deleted
// later.

use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use super::{
    file::FileState,
    purged_contents::{self, Room},
};
use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        tables::{comments, files},
    },
    workspace::{
        self,
        changes::{self, Change, ChangeType},
    },
};
use cloud_content::file_type::FileType;

/// 30 days.
const TRASH_SECONDS: u64 = 2_592_000;

/// The actor of automatic purges.
const SWEEPER: &str = r#"{"type":"service","id":"trash","display_name":"Trash"}"#;

pub const SWEEP: Sweep = Sweep { name: "trash", delete_batch };

/// Hides a file or folder for good.
pub fn begin(conn: &mut Conn, id: FileId, at: Timestamp) -> Result<(), Failure> {
    diesel::update(files::table.find(id)).set(files::purged_at.eq(Some(at))).execute(conn)?;
    Ok(())
}

/// Deletes purged files of one workspace, or of any, and marks files inside purged folders. Returns the number of both,
/// which may exceed `limit` a little. Returns `limit` if large files used up the batch's room.
pub fn proceed(conn: &mut Conn, owner: Option<WorkspaceId>, at: Timestamp, limit: i64) -> Result<i64, Failure> {
    let (mut done, mut steps) = (0, 0);
    let mut room = Room::OF_A_BATCH;
    while done < limit && steps < limit {
        let Some(owner) = (match owner {
            Some(owner) => Some(owner),
            None => {
                let any = files::table.filter(files::purged_at.is_not_null()).select(files::workspace_id).first(conn);
                any.optional()?
            }
        }) else {
            break;
        };
        // A folder that waits for purged files inside would be found again and again, and others would not be reached.
        let child = diesel::alias!(files as child);
        let inside = child.filter(child.field(files::parent_id).eq(files::id.nullable()));
        let is_purged = child.field(files::purged_at).is_not_null();
        let purged: Vec<(FileId, FileType)> = files::table
            .filter(files::purged_at.is_not_null().and(files::workspace_id.eq(owner)))
            // Without the type, PostgreSQL compares each purged file with all others.
            .filter(files::kind.ne(FileType::Folder).or(not(exists(inside.filter(is_purged)))))
            .select((files::id, files::kind))
            .order(files::id)
            .limit(limit - done)
            .load(conn)?;
        if purged.is_empty() {
            break;
        }
        let (folders, rest): (Vec<_>, Vec<_>) = purged.into_iter().partition(|(_, kind)| *kind == FileType::Folder);
        let rest: Vec<FileId> = rest.into_iter().map(|(id, _)| id).collect();
        done += purged_contents::delete(conn, owner, &rest, at, &mut room)?;
        if room.is_used_up() {
            return Ok(limit.max(done + steps));
        }
        for (folder, _) in folders {
            if steps >= limit {
                break;
            }
            match empty(conn, owner, folder, at, limit - steps)? {
                Emptied::Deleted => done += 1,
                Emptied::Marked(count) => steps += count + 1,
            }
        }
    }
    Ok(done + steps)
}

/// The result of `empty`.
enum Emptied {
    Deleted,
    /// The number of files inside that are purged now.
    Marked(i64),
}

/// Purges the files in a purged folder, or deletes the folder if it is empty.
fn empty(conn: &mut Conn, owner: WorkspaceId, folder: FileId, at: Timestamp, limit: i64) -> Result<Emptied, Failure> {
    let inside = files::table.filter(files::parent_id.eq(folder).and(files::purged_at.is_null()));
    // These were trashed on their own and can still be restored. Their folder is about to go, so they move to the top. The
    // record that clients have seen is not the same any more, so they get another etag.
    diesel::update(inside.filter(files::state.eq(FileState::Trashed)))
        .set((files::parent_id.eq(None::<FileId>), files::meta_revision.eq(files::meta_revision + 1)))
        .execute(conn)?;
    let ids: Vec<FileId> = inside.select(files::id).limit(limit).load(conn)?;
    if !ids.is_empty() {
        let gone = (files::state.eq(FileState::Trashed), files::trashed_at.eq(Some(at)), files::purged_at.eq(Some(at)));
        on_each!(conn, |c| diesel::update(files::table.filter(files::id.eq_any(&ids))).set(gone).execute(c))?;
        return Ok(Emptied::Marked(i64::try_from(ids.len()).unwrap_or(i64::MAX)));
    }
    let bytes = purged_contents::bytes_of_comments(conn, &[folder])?;
    workspace::store::give_back(conn, owner, bytes)?;
    on_each!(conn, |c| {
        diesel::delete(comments::table.filter(comments::file_id.eq(folder))).execute(c)?;
        diesel::delete(files::table.find(folder)).execute(c)?;
    });
    Ok(Emptied::Deleted)
}

// Write transactions of a sweep run alone in the database, so two sweepers never take the same rows.
fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = now.minus(std::time::Duration::from_secs(TRASH_SECONDS));
    let expired: Vec<(FileId, WorkspaceId)> = files::table
        .filter(files::state.eq(FileState::Trashed).and(files::purged_at.is_null()))
        .filter(files::trashed_at.le(old))
        .select((files::id, files::workspace_id))
        .order(files::trashed_at)
        .limit(limit)
        .load(conn)?;
    for (id, owner) in &expired {
        let sequence = workspace::store::take_number(conn, *owner)?;
        changes::insert(*owner, sequence, &Change::of_file(ChangeType::FilePurged, *id, SWEEPER, now));
        begin(conn, *id, now)?;
    }
    let deleted = proceed(conn, None, now, limit)?;
    // The sweep stops after a batch below the limit, so neither of the two may be left out.
    Ok(expired.len().max(usize::try_from(deleted).unwrap_or_default()))
}
