//! Runs a command once. The in-flight lock keeps parallel requests apart; the idempotency record decides.
//!
//! The transaction runs first, and the key's row is inserted together with its effects. If the key has a row already,
//! everything is undone and the first answer is replayed. So new commands, which are nearly all, cost no extra read.

use std::{
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use shared_model::{Error, Refusal, Timestamp, code, failure::Kind};
use tokio::time::{Instant, sleep};

use super::{
    once::{Bound, Once},
    record,
    request::lock_key,
};
use crate::{
    base::{
        failpoint,
        fault::{Fault, Place},
    },
    context::Context,
    http::reply::Answer,
    state::{
        db::{Conn, Db},
        in_flight::{InFlightLocks, LockOutcome},
    },
};

const WAIT_FOR_RUNNING: Duration = Duration::from_secs(2);
// At most WAIT_FOR_RUNNING: a retry after a crash waits for the dead process's lock to expire, and must not be
// refused.
const LOCK_TTL: Duration = Duration::from_secs(2);
const EXTEND_INTERVAL: Duration = Duration::from_secs(1);
// The mark of a completed command spares a repeated request the attempt. Without it the database still decides.
const MARK_TTL: Duration = Duration::from_secs(600);

impl Context {
    /// Runs a command's transaction exactly once for its key: replays the answer of an earlier run, and waits for a
    /// parallel one. The transaction may only touch data of the caller's workspace (or account), and data that only
    /// transactions of [`Context::write`] change. Commands of other workspaces run at the same time.
    pub async fn once<T: 'static>(
        &self,
        once: Once,
        transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        let fault = Fault::of(once.key());
        let transaction = move |conn: &mut Conn| {
            fault.strike(Place::Before)?;
            let answer = transaction(conn)?;
            fault.strike(Place::Inside)?;
            Ok(answer)
        };
        let answer = self::once(&self.db, &self.in_flight, self.clock.now(), once.bound, transaction).await;
        let answer = answer.and_then(|answer| Ok(fault.strike(Place::After).map(|()| answer)?));
        answer.map_err(|error| once.explain(error, self.base_url()))
    }
}

pub(super) async fn once<T: 'static>(
    db: &Db,
    locks: &InFlightLocks,
    now: Timestamp,
    once: Bound,
    transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
) -> Result<Answer<T>, Error> {
    let transaction = Box::new(move |conn: &mut Conn| Ok(transaction(conn)?.of_shape()));
    Ok(run(db, locks, now, once, transaction).await?.of_shape())
}

// Of no type, so that it is compiled once and not for each command.
type Transaction = Box<dyn Fn(&mut Conn) -> Result<Answer<()>, Error> + Send>;

async fn run(
    db: &Db,
    locks: &InFlightLocks,
    now: Timestamp,
    once: Bound,
    transaction: Transaction,
) -> Result<Answer<()>, Error> {
    let key = lock_key(once.scope);
    // Random, so that a process that was paused cannot release the lock of its successor.
    let owner = format!("{:032x}", rand::random::<u128>());
    if acquire(locks, &key, &owner).await? == Turn::Over
        && let Some(entry) = db.read(move |conn| Ok(record::look_up(conn, once.scope, now)?)).await?
    {
        return entry.replay(once);
    }
    let mut settled = pin!(settle(db, now, once, transaction));
    let outcome = loop {
        tokio::select! {
            outcome = &mut settled => break outcome,
            // Short locks that are extended: after a crash a retry waits two seconds at most, however long the
            // command takes.
            () = sleep(EXTEND_INTERVAL) => locks.extend(&key, &owner, LOCK_TTL).await,
        }
    };
    if outcome.is_ok() {
        failpoint::hang("idempotency::committed").await;
    }
    if outcome.is_ok() {
        locks.complete(&key, &owner, MARK_TTL).await;
    } else {
        locks.release(&key, &owner).await;
    }
    outcome
}

/// The new answer, or the stored one of the key, which wins over any other outcome of this run.
async fn settle(db: &Db, now: Timestamp, once: Bound, transaction: Transaction) -> Result<Answer<()>, Error> {
    let recorded = Arc::new(Mutex::new(None));
    let found = Arc::clone(&recorded);
    let written = db.write_command(once.lane, move |conn| {
        let answer = match transaction(conn) {
            // In this transaction: another one costs two more round trips. Only this lane writes the row of the key,
            // so nobody changes it before the rollback.
            Err(refused @ Error::Refused(_)) => {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = record::look_up(conn, once.scope, now)?;
                return Err(refused);
            }
            ended => ended?,
        };
        let row = record::row(&answer, once, now)?;
        Ok((answer, row))
    });
    let error = match written.await {
        // Whether it was committed is unknown: the client retries with the same key and finds out.
        Err(Error::Failed(failure)) if failure.kind() == Kind::Unavailable => return Err(failure.into()),
        Err(error) => error,
        done => return done,
    };
    let stored = if matches!(error, Error::Refused(_)) {
        recorded.lock().unwrap_or_else(PoisonError::into_inner).take()
    } else {
        // Looked up on the write side: a replica may not know the row yet.
        db.write_in(once.lane, move |conn| Ok(record::look_up(conn, once.scope, now)?)).await?
    };
    // A stored answer wins even over a refusal. The first run may be the reason for that: it may have made an If-Match
    // stale.
    match stored {
        Some(entry) => entry.replay(once),
        None => Err(error),
    }
}

#[derive(PartialEq)]
enum Turn {
    /// This request has the lock.
    Taken,
    /// The command is marked as completed.
    Over,
}

/// Takes the lock, unless the command is completed; 409 when another request holds it for too long.
async fn acquire(locks: &InFlightLocks, key: &str, owner: &str) -> Result<Turn, Refusal> {
    let until = Instant::now() + WAIT_FOR_RUNNING;
    let mut pause = Duration::from_millis(10);
    loop {
        let is_last = Instant::now() >= until;
        match locks.acquire(key, owner, LOCK_TTL).await {
            LockOutcome::Acquired => return Ok(Turn::Taken),
            LockOutcome::Done => return Ok(Turn::Over),
            LockOutcome::Running if is_last => return Err(in_progress()),
            LockOutcome::Running => sleep(pause).await,
        }
        // Most commands take some milliseconds, so the first looks come quickly.
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn in_progress() -> Refusal {
    code::IDEMPOTENCY_IN_PROGRESS.refusal()
}
