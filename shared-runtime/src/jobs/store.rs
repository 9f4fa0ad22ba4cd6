//! The table of jobs. Every statement except the claim is fenced: it changes a row only while its lease is held.

use std::{fmt::Write as _, time::Duration};

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _,
    dsl::{count_star, exists, min},
    result::QueryResult,
    sql_types::{BigInt, Text},
};
use shared_model::Timestamp;

use super::tables::jobs;
use crate::{
    on_each,
    state::db::{Conn, LaneKey, notifications, prepared},
};

/// A job, as its handler sees it.
#[derive(Clone, Debug, diesel::QueryableByName)]
pub struct Job {
    #[diesel(sql_type = BigInt)]
    pub(super) id: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) epoch: i64,
    #[diesel(sql_type = Text)]
    pub key: String,
    #[diesel(sql_type = Text)]
    pub payload: String,
    /// From 1.
    #[diesel(sql_type = BigInt)]
    pub attempts: i64,
}

/// Enqueues a job, due at `run_at`, in the transaction that needs it. The key must be new in its kind.
pub fn enqueue(conn: &mut Conn, kind: &str, key: &str, payload: &str, run_at: Timestamp) -> QueryResult<()> {
    diesel::insert_into(jobs::table).values(row(kind, key, payload, run_at)).execute(conn)?;
    notifications::mark_enqueued();
    Ok(())
}

/// Enqueues a job unless its key exists; returns whether it was new.
pub fn ensure(conn: &mut Conn, kind: &str, key: &str, payload: &str, run_at: Timestamp) -> QueryResult<bool> {
    let row = row(kind, key, payload, run_at);
    let insert = diesel::insert_into(jobs::table).values(row).on_conflict((jobs::kind, jobs::key)).do_nothing();
    let made = on_each!(conn, |c| prepared(insert).execute(c))?;
    if made == 1 {
        notifications::mark_enqueued();
    }
    Ok(made == 1)
}

/// Makes a job due at `at`, unless somebody has its lease. A process whose clock was ahead may have set it too late.
pub fn make_due(conn: &mut Conn, kind: &str, key: &str, at: Timestamp) -> QueryResult<()> {
    let job = jobs::table.filter(jobs::kind.eq(kind)).filter(jobs::key.eq(key)).filter(jobs::lease_until.is_null());
    diesel::update(job).set(jobs::run_at.eq(at)).execute(conn)?;
    notifications::mark_enqueued();
    Ok(())
}

type Row<'a> = (
    diesel::dsl::Eq<jobs::kind, &'a str>,
    diesel::dsl::Eq<jobs::key, &'a str>,
    diesel::dsl::Eq<jobs::payload, &'a str>,
    diesel::dsl::Eq<jobs::run_at, Timestamp>,
    diesel::dsl::Eq<jobs::attempts, i64>,
    diesel::dsl::Eq<jobs::epoch, i64>,
);

fn row<'a>(kind: &'a str, key: &'a str, payload: &'a str, run_at: Timestamp) -> Row<'a> {
    (
        jobs::kind.eq(kind),
        jobs::key.eq(key),
        jobs::payload.eq(payload),
        jobs::run_at.eq(run_at),
        jobs::attempts.eq(0),
        jobs::epoch.eq(0),
    )
}

pub(super) struct Claim<'a> {
    pub(super) kind: &'a str,
    pub(super) holder: &'a str,
    pub(super) now: Timestamp,
    pub(super) lease: Duration,
    pub(super) limit: usize,
    /// Jobs that this worker runs already. A paused process can find its own lease expired.
    pub(super) except: &'a [i64],
}

/// Whether there is a job to claim, of any of these kinds.
pub(super) fn is_due(conn: &mut Conn, kinds: &[&str], now: Timestamp, except: &[i64]) -> QueryResult<bool> {
    let is_free = jobs::lease_until.is_null().or(jobs::lease_until.le(now));
    let due = jobs::table
        .filter(jobs::kind.eq_any(kinds))
        .filter(jobs::run_at.le(now))
        .filter(is_free)
        .filter(jobs::id.ne_all(except));
    on_each!(conn, |c| diesel::select(exists(due)).get_result(c))
}

/// Claims jobs that are due and have no valid lease.
pub(super) fn claim(conn: &mut Conn, claim: &Claim<'_>) -> QueryResult<Vec<Job>> {
    // One statement, so that two workers never claim the same job. SKIP LOCKED: a worker does not wait for rows that
    // another one is claiming.
    let skip = if matches!(conn, Conn::Postgres(_)) { "FOR UPDATE SKIP LOCKED" } else { "" };
    // Ids are numbers of ours, so they can be part of the text; 0 is never one.
    let mut except = String::from("0");
    for id in claim.except {
        write!(except, ", {id}").expect("text takes text");
    }
    let sql = format!(
        "WITH due AS MATERIALIZED (
             SELECT id FROM jobs
             WHERE kind = $1 AND run_at <= $2 AND (lease_until IS NULL OR lease_until <= $2) AND id NOT IN ({except})
             ORDER BY run_at, id LIMIT $3 {skip}
         )
         UPDATE jobs SET epoch = epoch + 1, attempts = attempts + 1, lease_until = $4, holder = $5
         WHERE id IN (SELECT id FROM due)
         RETURNING id, epoch, key, payload, attempts"
    );
    let limit = i64::try_from(claim.limit).unwrap_or(i64::MAX);
    on_each!(conn, |c| diesel::sql_query(&sql)
        .bind::<Text, _>(claim.kind)
        .bind::<BigInt, _>(claim.now)
        .bind::<BigInt, _>(limit)
        .bind::<BigInt, _>(claim.now.plus(claim.lease))
        .bind::<Text, _>(claim.holder)
        .load(c))
}

/// Releases the jobs of claims whose answer was lost: the holder has them and does not run them. The attempt does not
/// count.
pub(super) fn release_lost_claims(conn: &mut Conn, holder: &str, running: &[i64]) -> QueryResult<()> {
    let unheard = jobs::table.filter(jobs::holder.eq(holder)).filter(jobs::id.ne_all(running));
    let released =
        (jobs::lease_until.eq(None::<i64>), jobs::holder.eq(None::<String>), jobs::attempts.eq(jobs::attempts - 1));
    on_each!(conn, |c| diesel::update(unheard).set(released).execute(c))?;
    Ok(())
}

/// One lease. A released job has no holder, so its lease is never valid again.
#[derive(Clone, Debug)]
pub(super) struct LeaseToken {
    pub(super) id: i64,
    pub(super) epoch: i64,
    pub(super) holder: String,
    /// Where the transactions of the job run; `None`: alone.
    pub(super) lane: Option<LaneKey>,
}

/// The job's row, only while the lease is held.
macro_rules! held {
    ($token:expr) => {
        jobs::table.find($token.id).filter(jobs::epoch.eq($token.epoch)).filter(jobs::holder.eq(&$token.holder))
    };
}

pub(super) fn is_held(conn: &mut Conn, token: &LeaseToken) -> QueryResult<bool> {
    // An update, not a read: its row lock keeps other workers from claiming the job before this transaction ends.
    let touch = diesel::update(held!(token)).set(jobs::epoch.eq(token.epoch));
    Ok(prepared(touch).execute(conn)? == 1)
}

/// Returns whether the lease is still held.
pub(super) fn renew(conn: &mut Conn, token: &LeaseToken, until: Timestamp) -> QueryResult<bool> {
    Ok(prepared(diesel::update(held!(token)).set(jobs::lease_until.eq(until))).execute(conn)? == 1)
}

pub(super) fn remove(conn: &mut Conn, token: &LeaseToken) -> QueryResult<()> {
    diesel::delete(held!(token)).execute(conn)?;
    Ok(())
}

#[derive(Clone, Copy, Debug)]
pub(super) enum AttemptCount {
    Kept,
    /// This attempt does not count.
    WithoutThis,
    Reset,
}

/// Ends the lease; the job is due at `run_at`.
pub(super) fn release(conn: &mut Conn, token: &LeaseToken, run_at: Timestamp, count: AttemptCount) -> QueryResult<()> {
    let released = (jobs::run_at.eq(run_at), jobs::lease_until.eq(None::<i64>), jobs::holder.eq(None::<String>));
    match count {
        AttemptCount::Kept => diesel::update(held!(token)).set(released).execute(conn)?,
        AttemptCount::WithoutThis => {
            diesel::update(held!(token)).set((released, jobs::attempts.eq(jobs::attempts - 1))).execute(conn)?
        }
        AttemptCount::Reset => diesel::update(held!(token)).set((released, jobs::attempts.eq(0))).execute(conn)?,
    };
    Ok(())
}

/// The number of jobs of each kind, and since when the oldest is due.
pub fn waiting(conn: &mut Conn) -> QueryResult<Vec<(String, i64, Option<Timestamp>)>> {
    jobs::table.group_by(jobs::kind).select((jobs::kind, count_star(), min(jobs::run_at))).load(conn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::db::tests::fresh::Fresh;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_253_400);
    const LEASE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn a_look_sees_what_a_claim_would_take() {
        let fresh = Fresh::new(1).await;
        fresh.direct(|conn| {
            let later = NOW.plus(Duration::from_secs(1));
            let look =
                |conn: &mut Conn, now, except: &[i64]| is_due(conn, &["other", "errand"], now, except).expect("a look");
            let take = |conn: &mut Conn, now, except: &[i64]| {
                let claim = Claim { kind: "errand", holder: "a", now, lease: LEASE, limit: 4, except };
                super::claim(conn, &claim).expect("a claim")
            };
            assert!(!look(conn, NOW, &[]), "there is none");
            enqueue(conn, "unknown", "one", "", NOW).expect("a job");
            assert!(!look(conn, NOW, &[]), "nobody works on this kind");
            enqueue(conn, "errand", "one", "", later).expect("a job");
            assert!(!look(conn, NOW, &[]) && take(conn, NOW, &[]).is_empty(), "it is not due");
            assert!(look(conn, later, &[]));
            let id = take(conn, later, &[]).pop().expect("a job").id;
            assert!(!look(conn, later, &[]) && take(conn, later, &[]).is_empty(), "it is leased");
            let expired = later.plus(LEASE);
            assert!(!look(conn, expired, &[id]) && take(conn, expired, &[id]).is_empty(), "this worker runs it");
            assert!(look(conn, expired, &[]));
            assert_eq!(take(conn, expired, &[]).len(), 1, "its lease has expired");
        });
    }
}
