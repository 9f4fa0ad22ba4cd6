//! Running a command once: the in-flight mark keeps parallel requests apart, the ledger decides.

use std::{pin::pin, time::Duration};

use shared_model::{Error, NextAction, Refusal, Timestamp, code};
use tokio::time::{Instant, sleep};

use super::{Once, ledger, mark_key, stored::Stored};
use crate::{
    http::reply::Answer,
    state::{
        counters::{Counters, Mark},
        db::{Conn, Db},
    },
};

/// How long a parallel request with the same key waits for the first.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a mark outlives a holder that died. Within [`PATIENCE`], so that a retry after a crash is not refused.
const MARK: Duration = Duration::from_secs(2);
/// How often a holder that lives says so.
const KEEP: Duration = Duration::from_secs(1);
/// How long the copy of an answer saves a look into the ledger.
const COPY: Duration = Duration::from_secs(600);
/// A larger answer is read from the ledger.
const COPY_BYTES: usize = 65_536;

/// Does the transaction, or replays its answer.
pub(super) async fn once<T: 'static>(
    db: &Db,
    counters: &Counters,
    now: Timestamp,
    once: Once,
    transaction: impl Fn(&mut Conn) -> Result<Answer<T>, Error> + Send + 'static,
) -> Result<Answer<T>, Error> {
    let key = mark_key(once.scope);
    let owner = format!("{:032x}", rand::random::<u128>());
    let copy = wait_for_turn(counters, &key, &owner).await?;
    if let Some(stored) = copy.as_deref().and_then(Stored::from_copy)
        && stored.expires_at > now
    {
        return stored.replay(once);
    }
    let mut settled = pin!(db.write(move |conn| ledger::settle(conn, once, now, &transaction)));
    let outcome = loop {
        tokio::select! {
            outcome = &mut settled => break outcome,
            () = sleep(KEEP) => counters.keep(&key, &owner, MARK).await,
        }
    };
    #[cfg(debug_assertions)]
    hang_after_commit(outcome.is_ok()).await;
    match outcome.as_ref().ok().map(|answer| Stored::of(answer, once, now.plus(ledger::WINDOW))).transpose()? {
        Some(stored) if stored.payload.len() <= COPY_BYTES => {
            counters.done(&key, &owner, stored.to_copy(), COPY).await;
        }
        _ => counters.release(&key, &owner).await,
    }
    outcome
}

/// Where a test kills the service: the transaction is committed, nobody has been answered, the mark is still there.
#[cfg(debug_assertions)]
async fn hang_after_commit(is_committed: bool) {
    if is_committed && std::env::var_os("FOURFOLD_TEST_HANG_AFTER_COMMIT").is_some() {
        std::future::pending::<()>().await;
    }
}

/// Takes the mark, or returns the copy of an answer that is there already; 409 when another runs and does not end.
async fn wait_for_turn(counters: &Counters, key: &str, owner: &str) -> Result<Option<String>, Refusal> {
    let until = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(10);
    loop {
        let is_last = Instant::now() >= until;
        match counters.mark(key, owner, MARK).await {
            Mark::Ours => return Ok(None),
            Mark::Done(copy) => return Ok(Some(copy)),
            Mark::Running if is_last => return Err(in_progress()),
            Mark::Running => sleep(pause).await,
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn in_progress() -> Refusal {
    code::IDEMPOTENCY_IN_PROGRESS.refusal().next(NextAction::Wait { after_seconds: 1 }).header("retry-after", "1")
}
