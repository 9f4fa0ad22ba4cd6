//! Stores jobs. Every statement but the claim is fenced: it changes a row only while the lease that it names is held.

use std::{fmt::Write as _, time::Duration};

use diesel::{
    ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _,
    dsl::{count_star, min},
    result::QueryResult,
    sql_types::{BigInt, Text},
};
use shared_model::Timestamp;

use super::tables::jobs;
use crate::{
    on_each,
    state::db::{Conn, prepared, wake},
};

/// A job as its handler sees it.
#[derive(Clone, Debug, diesel::QueryableByName)]
pub struct Job {
    #[diesel(sql_type = BigInt)]
    pub(super) id: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) epoch: i64,
    /// Unique in its kind.
    #[diesel(sql_type = Text)]
    pub key: String,
    /// The handler's input.
    #[diesel(sql_type = Text)]
    pub payload: String,
    /// 1 for the first attempt.
    #[diesel(sql_type = BigInt)]
    pub attempts: i64,
}

/// Enqueues a job in the transaction that needs it, due at `run_at`. The key must be new in its kind.
pub fn enqueue(conn: &mut Conn, kind: &str, key: &str, payload: &str, run_at: Timestamp) -> QueryResult<()> {
    diesel::insert_into(jobs::table).values(row(kind, key, payload, run_at)).execute(conn)?;
    wake::mark();
    Ok(())
}

/// Enqueues a job unless there is one with this key; returns whether there was none.
pub fn ensure(conn: &mut Conn, kind: &str, key: &str, payload: &str, run_at: Timestamp) -> QueryResult<bool> {
    let row = row(kind, key, payload, run_at);
    let made = on_each!(conn, |c| diesel::insert_into(jobs::table)
        .values(row)
        .on_conflict((jobs::kind, jobs::key))
        .do_nothing()
        .execute(c))?;
    if made == 1 {
        wake::mark();
    }
    Ok(made == 1)
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

/// A worker's request for jobs.
pub(super) struct Claim<'a> {
    pub(super) kind: &'a str,
    pub(super) holder: &'a str,
    pub(super) now: Timestamp,
    pub(super) lease: Duration,
    pub(super) limit: usize,
    /// Jobs that this worker runs already, even if their leases have expired.
    pub(super) except: &'a [i64],
}

/// Claims jobs that are due and have no lease, or an expired one: one statement, so that two workers never claim the same.
pub(super) fn claim(conn: &mut Conn, claim: &Claim<'_>) -> QueryResult<Vec<Job>> {
    let skip = if matches!(conn, Conn::Postgres(_)) { "FOR UPDATE SKIP LOCKED" } else { "" };
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

/// One lease of one job. A released job has no holder, so the lease is never valid again.
#[derive(Clone, Debug)]
pub(super) struct LeaseToken {
    pub(super) id: i64,
    pub(super) epoch: i64,
    pub(super) holder: String,
}

/// The job's row while the lease is held; no row after that.
macro_rules! held {
    ($token:expr) => {
        jobs::table.find($token.id).filter(jobs::epoch.eq($token.epoch)).filter(jobs::holder.eq(&$token.holder))
    };
}

/// Whether the lease is held. The update keeps other workers from claiming the job until the transaction ends.
pub(super) fn is_held(conn: &mut Conn, token: &LeaseToken) -> QueryResult<bool> {
    let touch = diesel::update(held!(token)).set(jobs::epoch.eq(token.epoch));
    Ok(prepared(touch).execute(conn)? == 1)
}

/// Renews the lease; returns whether it is still held.
pub(super) fn renew(conn: &mut Conn, token: &LeaseToken, until: Timestamp) -> QueryResult<bool> {
    Ok(prepared(diesel::update(held!(token)).set(jobs::lease_until.eq(until))).execute(conn)? == 1)
}

/// Removes the job.
pub(super) fn remove(conn: &mut Conn, token: &LeaseToken) -> QueryResult<()> {
    diesel::delete(held!(token)).execute(conn)?;
    Ok(())
}

/// What a release does to the job's count of attempts.
#[derive(Clone, Copy, Debug)]
pub(super) enum AttemptCount {
    /// Keeps it.
    Kept,
    /// Takes this attempt back.
    WithoutThis,
    /// Starts again from 0.
    Reset,
}

/// Ends the lease and makes the job due at `run_at`.
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

/// For each kind: the number of its jobs, and since when the oldest is due.
pub fn waiting(conn: &mut Conn) -> QueryResult<Vec<(String, i64, Option<Timestamp>)>> {
    jobs::table.group_by(jobs::kind).select((jobs::kind, count_star(), min(jobs::run_at))).load(conn)
}
