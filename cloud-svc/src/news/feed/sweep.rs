//! Deletes changes that are older than every valid cursor.

use std::time::Duration;

use diesel::{prelude::*, sql_types::BigInt};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared, state::sweep::Sweep};

use crate::base::limits::CHANGE_CURSOR_SECONDS;

pub const CHANGES: Sweep = Sweep { name: "changes", delete_batch };

// A change has the time of its admission and takes its number later. So a higher number may have an
// earlier time, and deleting by time alone would leave gaps. This deletes the lowest numbers of a
// workspace, as many as it has rows among the oldest, and stops before the first that is not old.
// A clock that was wrong delays that, also for other workspaces.
//
// It is one statement, because all other writers wait for this transaction. Its cost depends on `$2`
// only: it finds `expired` in the index `changes_by_time`, and all other rows by the primary key.
// `firsts` is MATERIALIZED to look for the first number once for a workspace, and not for each row:
// on PostgreSQL a look passes over the deleted numbers that were not vacuumed yet.
const DELETE: &str = "\
    WITH oldest AS ( \
        SELECT workspace_id, row_number() OVER (PARTITION BY workspace_id) AS place \
        FROM (SELECT workspace_id FROM changes WHERE at < $1 ORDER BY at LIMIT $2) AS expired \
    ), firsts AS MATERIALIZED ( \
        SELECT workspace_id, (SELECT min(sequence) FROM changes WHERE workspace_id = oldest.workspace_id) AS first \
        FROM oldest WHERE place = 1 \
    ), lowest AS ( \
        SELECT workspace_id, first + place - 1 AS sequence FROM oldest JOIN firsts USING (workspace_id) \
    ), dated AS ( \
        SELECT workspace_id, sequence, max(( \
            SELECT at FROM changes WHERE workspace_id = lowest.workspace_id AND sequence = lowest.sequence \
        )) OVER (PARTITION BY workspace_id ORDER BY sequence) AS latest_so_far \
        FROM lowest \
    ) \
    DELETE FROM changes \
    WHERE (workspace_id, sequence) IN (SELECT workspace_id, sequence FROM dated WHERE latest_so_far < $1)";

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = now.minus(Duration::from_secs(CHANGE_CURSOR_SECONDS));
    let deleted = on_each!(conn, |c| {
        prepared(diesel::sql_query(DELETE).bind::<BigInt, _>(old).bind::<BigInt, _>(limit)).execute(c)
    })?;
    Ok(deleted)
}
