//! Grants that were revoked: a numbered list in the database, and a copy in every process.
//!
//! A request is admitted only by a copy that is at most [`REVOCATION_DELAY`] old. A revoked grant stays revoked, even if the
//! authorization server issues new tokens for it.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::Duration,
};

use arc_swap::ArcSwap;
use diesel::{dsl::max, prelude::*, sql_query};
use shared_model::{Error, Failure, Timestamp};
use tokio::sync::Mutex;

use super::tables::revocations;
use crate::{
    base::clock::Clock,
    state::db::{Conn, Db},
};

/// The age of a copy that may still admit a request.
pub const REVOCATION_DELAY: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct Revocations {
    grants: ArcSwap<HashSet<Box<str>>>,
    /// When the query for the copy was sent, in microseconds.
    asked_at: AtomicI64,
    /// The highest number in the copy. Locked during a refresh, so that one request queries for all.
    last: Mutex<i64>,
    failures: AtomicU64,
}

impl Revocations {
    /// An empty copy, too old to admit a request.
    pub fn empty() -> Self {
        Self {
            grants: ArcSwap::default(),
            asked_at: AtomicI64::new(i64::MIN),
            last: Mutex::new(0),
            failures: AtomicU64::new(0),
        }
    }

    /// Whether the grant is revoked, by a copy of the list that is at most [`REVOCATION_DELAY`] old.
    pub async fn contains(&self, db: &Db, clock: &Clock, grant_id: &str) -> Result<bool, Error> {
        if !self.is_fresh(clock.now()) {
            self.refresh(db, clock).await?;
        }
        let grants = self.grants.load();
        Ok(!grants.is_empty() && grants.contains(grant_id))
    }

    fn is_fresh(&self, now: Timestamp) -> bool {
        let asked_at = Timestamp::from_micros(self.asked_at.load(Ordering::Acquire));
        asked_at <= now && now < asked_at.plus(REVOCATION_DELAY)
    }

    async fn refresh(&self, db: &Db, clock: &Clock) -> Result<(), Error> {
        let failures = self.failures.load(Ordering::Acquire);
        let mut last = self.last.lock().await;
        let now = clock.now();
        if self.is_fresh(now) {
            return Ok(());
        }
        // Otherwise requests that wait for a silent database would time out one after another.
        if self.failures.load(Ordering::Acquire) != failures {
            return Err(Failure::unavailable("the request before could not read the revocations")
                .already_logged()
                .into());
        }
        // By number, not by time: the operator's clock and ours may differ.
        let known = *last;
        let fresh = db.look_up(move |conn| Ok(since(conn, known)?)).await.inspect_err(|_| {
            self.failures.fetch_add(1, Ordering::AcqRel);
        })?;
        if let Some((highest, _)) = fresh.last() {
            *last = *highest;
            let mut grants = HashSet::clone(&self.grants.load());
            grants.extend(fresh.into_iter().map(|(_, grant_id)| grant_id.into_boxed_str()));
            self.grants.store(grants.into());
        }
        self.asked_at.store(now.micros(), Ordering::Release);
        Ok(())
    }
}

/// Revokes a grant, seen or not; `false` when it was revoked already. Every process applies it within
/// [`REVOCATION_DELAY`].
pub fn revoke(conn: &mut Conn, grant_id: &str, now: Timestamp) -> Result<bool, Failure> {
    wait_for_turn(conn)?;
    let revoked: i64 = revocations::table.filter(revocations::grant_id.eq(grant_id)).count().get_result(conn)?;
    if revoked > 0 {
        return Ok(false);
    }
    // One above the highest, inside the transaction. No number becomes visible before a lower one, so a reader that
    // asks for higher numbers misses none.
    let highest: Option<i64> = revocations::table.select(max(revocations::number)).first(conn)?;
    diesel::insert_into(revocations::table)
        .values((
            revocations::number.eq(highest.unwrap_or(0) + 1),
            revocations::grant_id.eq(grant_id),
            revocations::revoked_at.eq(now),
        ))
        .execute(conn)?;
    Ok(true)
}

/// Until the transaction ends, nobody else revokes a grant.
// Workspaces have different lanes, so two revocations would take the same number, and one of them would fail.
fn wait_for_turn(conn: &mut Conn) -> Result<(), Failure> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.revocations'), 0)";
    if let Conn::Postgres(conn) = conn {
        sql_query(LOCK).execute(conn)?;
    }
    Ok(())
}

fn since(conn: &mut Conn, number: i64) -> Result<Vec<(i64, String)>, Failure> {
    Ok(revocations::table
        .filter(revocations::number.gt(number))
        .order(revocations::number)
        .select((revocations::number, revocations::grant_id))
        .load(conn)?)
}
