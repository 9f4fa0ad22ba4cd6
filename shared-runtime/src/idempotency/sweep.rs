//! Forgetting commands whose keys are free again.

use std::time::Duration;

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use rand::RngExt as _;
use shared_model::{Error, Timestamp};

use crate::{
    context::Context,
    on_each,
    state::db::{Conn, Db, tables::idempotency},
};

/// Rows that one transaction deletes: few enough that nobody waits long behind it.
const BATCH: i64 = 500;

/// Deletes the expired rows of the ledger; how many.
pub async fn sweep(context: &Context) -> Result<usize, Error> {
    delete_expired(&context.db, context.clock.now()).await
}

/// Sweeps every few minutes until the database is closed. Replicas do not sweep at the same time but by chance.
pub fn spawn_sweeper(context: Context) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            let seconds = rand::rng().random_range(120..=360);
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            if context.db.is_closed() {
                return;
            }
            match sweep(&context).await {
                Ok(rows) => tracing::debug!(rows, "swept the ledger of commands"),
                Err(Error::Failed(failure)) => tracing::warn!(%failure, "sweeping the ledger of commands"),
                Err(Error::Refused(refusal)) => tracing::warn!(?refusal, "sweeping the ledger of commands"),
            }
        }
    })
}

/// Deletes batch after batch.
pub(super) async fn delete_expired(db: &Db, now: Timestamp) -> Result<usize, Error> {
    let mut rows = 0;
    loop {
        let deleted = db.write(move |conn| delete_batch(conn, now)).await?;
        rows += deleted;
        if i64::try_from(deleted).is_ok_and(|deleted| deleted < BATCH) {
            return Ok(rows);
        }
    }
}

fn delete_batch(conn: &mut Conn, now: Timestamp) -> Result<usize, Error> {
    let expired = diesel::alias!(idempotency as expired);
    let batch = expired
        .filter(expired.field(idempotency::expires_at).le(now))
        .select(expired.field(idempotency::scope))
        .limit(BATCH);
    Ok(on_each!(conn, |c| diesel::delete(idempotency::table.filter(idempotency::scope.eq_any(batch))).execute(c))?)
}
