//! Deletes operations some time after their end.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use crate::schema::operations;

/// How long an operation can be read after its end.
pub const RETENTION: Duration = Duration::from_secs(30 * 86_400);

/// The operations that ended thirty days ago or earlier.
pub const SWEEP: Sweep = Sweep { name: "finished operations", delete_batch };

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = diesel::alias!(operations as old);
    let batch = old
        .filter(old.field(operations::finished_at).le(now.minus(RETENTION)))
        .select(old.field(operations::id))
        .limit(limit);
    Ok(on_each!(conn, |c| diesel::delete(operations::table.filter(operations::id.eq_any(batch))).execute(c))?)
}
