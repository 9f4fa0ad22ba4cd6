//! What an export asks of the workspace: its size, for the progress bar, and which files were moved.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool},
};
use shared_model::Failure;
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        tables::changes,
    },
    workspace::{self, changes::ChangeType},
};

#[derive(QueryableByName)]
struct Bytes {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// Bytes of the current versions of all files below a folder, or of one file, or in the workspace, outside the trash.
pub fn bytes(conn: &mut Conn, owner: WorkspaceId, file: Option<FileId>) -> Result<u64, Failure> {
    // Two queries. With one condition for both, a planner looks at all files of the workspace for one folder. The join
    // reads the versions of all files, and is the faster way only if most of them count.
    let (top, sum) = match file {
        Some(_) => (
            "workspace_id = $1 AND id = $2",
            "sum((SELECT content_bytes FROM versions WHERE file_id = down.id AND number = current_version)) AS bytes
            FROM down",
        ),
        None => (
            "workspace_id = $1 AND parent_id IS NULL",
            "sum(content_bytes) AS bytes FROM down JOIN versions ON file_id = down.id AND number = current_version",
        ),
    };
    let sql = format!(
        "WITH RECURSIVE down (id, current_version) AS (
            SELECT id, current_version FROM files WHERE {top} AND state = 'active' AND purged_at IS NULL
            UNION ALL SELECT child.id, child.current_version FROM files child JOIN down ON child.parent_id = down.id
                WHERE child.state = 'active' AND child.purged_at IS NULL
        ) SELECT CAST(coalesce(bytes, 0) AS BIGINT) AS bytes FROM (SELECT {sum}) AS summed"
    );
    let summed = sql_query(sql).bind::<BigInt, _>(owner);
    let Bytes { bytes } = match file {
        Some(file) => on_each!(conn, |c| summed.bind::<BigInt, _>(file).get_result(c))?,
        None => on_each!(conn, |c| summed.get_result(c))?,
    };
    Ok(u64::try_from(bytes).unwrap_or_default())
}

/// The number of the workspace's last change.
pub fn last_change(conn: &mut Conn, owner: WorkspaceId) -> Result<i64, Failure> {
    Ok(workspace::store::find(conn, owner)?.map_or(0, |workspace| workspace.change_sequence))
}

/// The files that were moved, or restored from the trash, after this change.
pub fn moved_since(conn: &mut Conn, owner: WorkspaceId, last: i64) -> Result<Vec<(FileId, ChangeType)>, Failure> {
    let moved = changes::table
        .filter(changes::workspace_id.eq(owner).and(changes::sequence.gt(last)).and(changes::file_id.is_not_null()))
        .filter(changes::kind.eq(ChangeType::FileMoved).or(changes::kind.eq(ChangeType::FileRestored)))
        .select((changes::file_id.assume_not_null(), changes::kind));
    Ok(moved.load(conn)?)
}

#[derive(QueryableByName)]
struct OnPath {
    #[diesel(sql_type = BigInt)]
    id: FileId,
    #[diesel(sql_type = Bool)]
    is_active: bool,
}

/// Whether the export of the folder `top`, or of the whole workspace, may have missed files.
// It may if one of these files is visible in it now, or if `top` or a folder above it was restored.
pub fn concerns(conn: &mut Conn, moved: &[(FileId, ChangeType)], top: Option<FileId>) -> Result<bool, Failure> {
    if let Some(top) = top
        && path(conn, top)?.iter().any(|folder| moved.contains(&(folder.id, ChangeType::FileRestored)))
    {
        return Ok(true);
    }
    for (file, _) in moved {
        let path = path(conn, *file)?;
        let is_visible = !path.is_empty() && path.iter().all(|one| one.is_active);
        if is_visible && top.is_none_or(|top| path.iter().any(|one| one.id == top)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The file and the folders around it, up to the top.
fn path(conn: &mut Conn, file: FileId) -> Result<Vec<OnPath>, Failure> {
    const SQL: &str = "WITH RECURSIVE up (id, parent_id, state) AS (
            SELECT id, parent_id, state FROM files WHERE id = $1
            UNION ALL SELECT folder.id, folder.parent_id, folder.state
            FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, state = 'active' AS is_active FROM up";
    Ok(on_each!(conn, |c| prepared(sql_query(SQL).bind::<BigInt, _>(file)).load(c))?)
}
