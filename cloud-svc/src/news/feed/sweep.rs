//! Deletes changes that are older than every valid cursor.

use std::time::Duration;

use diesel::{prelude::*, sql_types::BigInt};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared, state::sweep::Sweep};

use crate::base::limits::CHANGE_CURSOR_SECONDS;

pub const CHANGES: Sweep = Sweep { name: "changes", delete_batch };

/// No command takes this long from its admission to its number.
const HOUR: Duration = Duration::from_secs(3_600);

// A change has the time of its admission and takes its number later. So a higher number may have an
// earlier time, and deleting by time alone would leave gaps. This deletes the lowest numbers of a workspace, as many as
// it has rows among the oldest. It stops before the first that is not old.
//
// A fast clock gives its row a later time than the numbers after it have. The expired rows behind
// it would stay, and fill the batches for all workspaces. So a young row counts as old too, if from
// it on more rows are old by an hour than young. One old row is not enough: a slow clock may have
// written it, and all young rows before it would be deleted.
//
// It is one statement, because all other writers wait for this transaction. Its cost depends on `$2`
// only: it finds `expired` in the index `changes_by_time`, and all other rows by the primary key.
// `firsts` is MATERIALIZED to look for the first number once for a workspace, not for each row. On PostgreSQL a look
// passes over the deleted numbers that were not vacuumed yet. `dated` is too, because its times are used several times.
const DELETE: &str = "\
    WITH oldest AS ( \
        SELECT workspace_id, row_number() OVER (PARTITION BY workspace_id) AS place \
        FROM (SELECT workspace_id FROM changes WHERE at < $1 ORDER BY at LIMIT $2) AS expired \
    ), firsts AS MATERIALIZED ( \
        SELECT workspace_id, (SELECT min(sequence) FROM changes WHERE workspace_id = oldest.workspace_id) AS first \
        FROM oldest WHERE place = 1 \
    ), lowest AS ( \
        SELECT workspace_id, first + place - 1 AS sequence FROM oldest JOIN firsts USING (workspace_id) \
    ), dated AS MATERIALIZED ( \
        SELECT workspace_id, sequence, ( \
            SELECT at FROM changes WHERE workspace_id = lowest.workspace_id AND sequence = lowest.sequence \
        ) AS at \
        FROM lowest \
    ), compared AS ( \
        SELECT workspace_id, sequence, at, sum(CASE WHEN at < $3 THEN 1 WHEN at < $1 THEN 0 ELSE -1 END) \
            OVER (PARTITION BY workspace_id ORDER BY sequence DESC) AS old_from_here_on \
        FROM dated \
    ), reached AS ( \
        SELECT workspace_id, sequence, max(CASE WHEN old_from_here_on > 0 THEN 0 ELSE at END) \
            OVER (PARTITION BY workspace_id ORDER BY sequence) AS latest_so_far \
        FROM compared \
    ) \
    DELETE FROM changes \
    WHERE (workspace_id, sequence) IN (SELECT workspace_id, sequence FROM reached WHERE latest_so_far < $1)";

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = now.minus(Duration::from_secs(CHANGE_CURSOR_SECONDS));
    let deleted = on_each!(conn, |c| {
        let query = diesel::sql_query(DELETE).bind::<BigInt, _>(old).bind::<BigInt, _>(limit);
        prepared(query.bind::<BigInt, _>(old.minus(HOUR))).execute(c)
    })?;
    // The sweep ends after a batch below the limit. This one may be below it because of expired rows that stay, and the
    // next one reaches others.
    Ok(if deleted == 0 { 0 } else { deleted.max(usize::try_from(limit).unwrap_or_default()) })
}
