//! PostgreSQL: how a session is set up, and how a transaction gets its serializable transaction.

use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use diesel::{
    Connection as _, PgConnection,
    connection::{AnsiTransactionManager, SimpleConnection as _},
};
use rand::RngExt as _;
use shared_model::{Failure, failure::Kind};

use super::{
    job::{Job, Verdict, is_unique_violation},
    worker::Worker,
};
use crate::state::db::Conn;

/// What a session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Queries and transactions; outside a transaction's transaction a statement that writes is an error.
    Work,
    /// Migrations, which may take their time.
    Migrate,
}

/// Opens a session.
pub(super) fn connect(url: &str, side: Side) -> Result<Conn, Failure> {
    let mut conn = PgConnection::establish(url)
        .map_err(|error| Failure::unavailable("connecting to PostgreSQL").from_source(error))?;
    conn.batch_execute(match side {
        Side::Work => {
            "SET default_transaction_read_only = on; SET statement_timeout = '15s'; SET lock_timeout = '5s'; \
             SET idle_in_transaction_session_timeout = '30s'"
        }
        Side::Migrate => "SET lock_timeout = '10s'",
    })?;
    Ok(Conn::Postgres(conn))
}

const BEGIN: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE";

/// PostgreSQL answers the COMMIT of a transaction in which a statement had failed with a quiet rollback; a savepoint
/// cannot be set in such a transaction, so that the batch ends with an error before its COMMIT.
const COMMIT: &str = "SAVEPOINT sound; COMMIT";

/// A transaction that loses a race runs this often at most.
const TRIES: u32 = 12;
/// A transaction that has lost this often runs alone in this process: only another process can still be faster.
const TOGETHER: u32 = 2;
/// A unique key that is in the way this often in a row is no race.
const UNIQUE_TRIES: u32 = 3;

/// Runs a transaction in a serializable transaction, again when it loses a race or when the connection broke before its commit.
pub(super) fn write(worker: &mut Worker, mut job: Box<dyn Job>) {
    let shared = Arc::clone(&worker.shared);
    let (mut unique, mut is_reconnected) = (0, false);
    for tried in 0..TRIES {
        std::thread::sleep(pause(tried));
        let attempt = if tried < TOGETHER {
            let _together = shared.races.read().unwrap_or_else(PoisonError::into_inner);
            attempt(worker, &mut *job)
        } else {
            let _alone = shared.races.write().unwrap_or_else(PoisonError::into_inner);
            attempt(worker, &mut *job)
        };
        match attempt {
            Attempt::Ended => return job.answer(),
            Attempt::Lost if is_reconnected => return job.answer(),
            Attempt::Lost => is_reconnected = true,
            Attempt::Conflict { unique: true } if unique + 1 == UNIQUE_TRIES => {
                job.give_up();
                return job.answer();
            }
            Attempt::Conflict { unique: true } => unique += 1,
            Attempt::Conflict { unique: false } => unique = 0,
        }
    }
    job.answer();
}

/// A little longer for each further try, and never the same as another's.
fn pause(tried: u32) -> Duration {
    let most = if tried <= TOGETHER { 0 } else { 500_u64 << tried.min(6) };
    Duration::from_micros(rand::rng().random_range(0..=most))
}

/// How one transaction ended.
enum Attempt {
    /// For good, and the job knows how.
    Ended,
    /// It lost a race.
    Conflict {
        /// On a unique key.
        unique: bool,
    },
    /// The connection broke before the commit: nothing was done.
    Lost,
}

fn attempt(worker: &mut Worker, job: &mut dyn Job) -> Attempt {
    let conn = match worker.conn() {
        Ok(conn) => conn,
        Err(failure) => {
            job.spoil(failure);
            return Attempt::Ended;
        }
    };
    if let Err(failure) = begin(conn) {
        job.spoil(failure);
        worker.disconnect();
        return Attempt::Lost;
    }
    match job.run(conn) {
        Verdict::Done => commit(worker, job),
        Verdict::Halted => {
            roll_back(worker);
            Attempt::Ended
        }
        Verdict::Conflict { unique } => {
            roll_back(worker);
            Attempt::Conflict { unique }
        }
        Verdict::Lost => {
            worker.disconnect();
            Attempt::Lost
        }
        Verdict::Panicked => {
            worker.disconnect();
            Attempt::Ended
        }
    }
}

fn begin(conn: &mut Conn) -> Result<(), Failure> {
    let Conn::Postgres(conn) = conn else { return Err(Failure::fault("this transaction is for PostgreSQL")) };
    Ok(AnsiTransactionManager::begin_transaction_sql(conn, BEGIN)?)
}

fn commit(worker: &mut Worker, job: &mut dyn Job) -> Attempt {
    let committed = worker.conn().and_then(|conn| Ok(conn.batch_execute(COMMIT)?));
    let Err(failure) = committed else { return Attempt::Ended };
    match failure.kind() {
        Kind::Conflict => {
            let unique = is_unique_violation(&failure);
            job.spoil(failure);
            roll_back(worker);
            Attempt::Conflict { unique }
        }
        Kind::Unavailable => {
            // Whether it was committed nobody knows; the ledger of commands makes a retry safe.
            job.spoil(Failure::unavailable("the connection broke at the commit").from_source(failure));
            worker.disconnect();
            Attempt::Ended
        }
        Kind::Fault => {
            job.spoil(failure);
            roll_back(worker);
            Attempt::Ended
        }
    }
}

fn roll_back(worker: &mut Worker) {
    if !worker.conn().is_ok_and(|conn| conn.batch_execute("ROLLBACK").is_ok()) {
        worker.disconnect();
    }
}
