//! Deletes idempotency records an hour after they expire.

use std::time::Duration;

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_model::{Failure, Timestamp};

use crate::{
    on_each,
    state::{
        db::{Conn, tables::idempotency},
        sweep::Sweep,
    },
};

// Longer than a request may wait and clocks may differ.
pub(super) const MARGIN: Duration = Duration::from_secs(3_600);

pub const SWEEP: Sweep = Sweep { name: "idempotency records", delete_batch };

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let expired = diesel::alias!(idempotency as expired);
    // In batches, because one long delete would block all other writers.
    let batch = expired
        .filter(expired.field(idempotency::expires_at).le(now.minus(MARGIN)))
        .select(expired.field(idempotency::scope))
        .limit(limit);
    Ok(on_each!(conn, |c| diesel::delete(idempotency::table.filter(idempotency::scope.eq_any(batch))).execute(c))?)
}
