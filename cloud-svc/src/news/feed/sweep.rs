//! Deletes changes that are older than every valid cursor.

use std::time::Duration;

use diesel::{prelude::*, sql_types::BigInt};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared, state::sweep::Sweep};

use crate::base::limits::CHANGE_CURSOR_SECONDS;

pub const CHANGES: Sweep = Sweep { name: "changes", delete_batch };

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = now.minus(Duration::from_secs(CHANGE_CURSOR_SECONDS));
    let delete = "DELETE FROM changes WHERE (workspace_id, sequence) IN \
                  (SELECT workspace_id, sequence FROM changes WHERE at < $1 ORDER BY at, sequence LIMIT $2)";
    let deleted = on_each!(conn, |c| {
        prepared(diesel::sql_query(delete).bind::<BigInt, _>(old).bind::<BigInt, _>(limit)).execute(c)
    })?;
    Ok(deleted)
}
