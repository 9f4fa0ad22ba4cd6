//! The size of an export, for the progress bar.

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable},
};
use shared_model::Failure;
use shared_runtime::{Conn, on_each};

use crate::base::ids::{FileId, WorkspaceId};

#[derive(QueryableByName)]
struct Bytes {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// Bytes of the current versions of all files in a folder, or in the workspace, outside the trash.
pub fn bytes(conn: &mut Conn, owner: WorkspaceId, folder: Option<FileId>) -> Result<u64, Failure> {
    const SQL: &str = "WITH RECURSIVE down (id, current_version) AS (
            SELECT id, current_version FROM files WHERE workspace_id = $1 AND state = 'active' AND purged_at IS NULL
                AND (parent_id = $2 OR ($2 IS NULL AND parent_id IS NULL))
            UNION ALL SELECT child.id, child.current_version FROM files child JOIN down ON child.parent_id = down.id
                WHERE child.state = 'active' AND child.purged_at IS NULL
        ) SELECT CAST(coalesce(sum(content_bytes), 0) AS BIGINT) AS bytes
        FROM down JOIN versions ON file_id = down.id AND number = down.current_version";
    let summed = sql_query(SQL).bind::<BigInt, _>(owner).bind::<Nullable<BigInt>, _>(folder);
    let Bytes { bytes } = on_each!(conn, |c| summed.get_result(c))?;
    Ok(u64::try_from(bytes).unwrap_or_default())
}
