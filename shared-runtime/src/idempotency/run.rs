//! Running a command once: the in-flight lock keeps parallel requests apart, the idempotency record decides.
//!
//! The transaction runs first and the key's row is inserted with its effects. If there is one already, all is undone and
//! the answer of the first run is replayed: commands that are new, which is nearly all, pay for no look at the records.

use std::{pin::pin, time::Duration};

use shared_model::{Error, Refusal, Timestamp, code, failure::Kind};
use tokio::time::{Instant, sleep};

use super::{once::Once, record, request::lock_key};
use crate::{
    base::failpoint,
    context::Context,
    http::reply::Answer,
    state::{
        db::{Conn, Db},
        in_flight::{InFlight, InFlightLocks},
    },
};

/// How long a parallel request with the same key waits for the first.
const WAIT_FOR_RUNNING: Duration = Duration::from_secs(2);
/// How long the lock of a process that died stays. At most [`WAIT_FOR_RUNNING`], so that a retry after a crash is not
/// refused.
const LOCK_TTL: Duration = Duration::from_secs(2);
/// How often a running command prolongs its lock.
const EXTEND_INTERVAL: Duration = Duration::from_secs(1);
/// How long the mark of a command that is done saves a repeated one from being tried.
const MARK_TTL: Duration = Duration::from_secs(600);

impl Context {
    /// Runs a command's transaction exactly once for its key: replays the answer of an earlier run, waits for a parallel
    /// one. The transaction reads and changes what belongs to the caller's workspace (or account, where there are none),
    /// and what only transactions of [`Context::write`] change: those of other workspaces run beside it.
    pub async fn once<T: 'static>(
        &self,
        once: Once,
        transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        self::once(&self.db, &self.in_flight, self.clock.now(), once, transaction).await
    }
}

/// The same with these parts of the context.
pub(super) async fn once<T: 'static>(
    db: &Db,
    locks: &InFlightLocks,
    now: Timestamp,
    once: Once,
    transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
) -> Result<Answer<T>, Error> {
    let key = lock_key(once.scope);
    let owner = format!("{:032x}", rand::random::<u128>());
    if acquire(locks, &key, &owner).await? == Turn::Over
        && let Some(entry) = db.read(move |conn| Ok(record::look_up(conn, once.scope, now)?)).await?
    {
        return entry.stored.replay(once);
    }
    let mut settled = pin!(settle(db, now, once, transaction));
    let outcome = loop {
        tokio::select! {
            outcome = &mut settled => break outcome,
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

/// The new answer, or the one that the key has already: that one wins over whatever else became of this run, since the
/// first may be why (an If-Match that the first run has made stale).
async fn settle<T: 'static>(
    db: &Db,
    now: Timestamp,
    once: Once,
    transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
) -> Result<Answer<T>, Error> {
    let written = db.write_command(once.lane, move |conn| {
        let answer = transaction(conn)?;
        let row = record::row(&answer, once, now)?;
        Ok((answer, row))
    });
    let error = match written.await {
        Err(Error::Failed(failure)) if failure.kind() == Kind::Unavailable => return Err(failure.into()),
        Err(error) => error,
        done => return done,
    };
    // Where it was written, which a replica of the read side may not know yet.
    match db.write_in(once.lane, move |conn| Ok(record::look_up(conn, once.scope, now)?)).await? {
        Some(entry) => entry.stored.replay(once),
        None => Err(error),
    }
}

/// Whether it is this request that carries the command out.
#[derive(PartialEq)]
enum Turn {
    /// It is: it has the lock.
    Taken,
    /// The command is marked as done.
    Over,
}

/// Takes the lock, unless the command is done; 409 when another request holds it for longer than [`WAIT_FOR_RUNNING`].
async fn acquire(locks: &InFlightLocks, key: &str, owner: &str) -> Result<Turn, Refusal> {
    let until = Instant::now() + WAIT_FOR_RUNNING;
    let mut pause = Duration::from_millis(10);
    loop {
        let is_last = Instant::now() >= until;
        match locks.acquire(key, owner, LOCK_TTL).await {
            InFlight::Acquired => return Ok(Turn::Taken),
            InFlight::Done => return Ok(Turn::Over),
            InFlight::Running if is_last => return Err(in_progress()),
            InFlight::Running => sleep(pause).await,
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn in_progress() -> Refusal {
    code::IDEMPOTENCY_IN_PROGRESS.refusal()
}
