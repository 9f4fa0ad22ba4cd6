//! Transactions that fail in one batch with transactions that succeed.

use std::sync::{
    Arc, Barrier,
    atomic::{AtomicBool, Ordering},
};

use diesel::{connection::SimpleConnection as _, prelude::*};
use futures_util::future::join_all;
use shared_model::{Error, code, failure::Kind};

use super::{counters, fresh::Fresh, ids, insert};
use crate::state::db::{Conn, Db};

/// Blocks its executor, once, until other transactions are queued.
struct Blocker {
    released: Arc<Barrier>,
    running: tokio::task::JoinHandle<Result<(), Error>>,
}

impl Blocker {
    async fn block(db: &Db) -> Self {
        let (reached, released) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
        let running = {
            let (db, reached, released) = (db.clone(), Arc::clone(&reached), Arc::clone(&released));
            let has_run = AtomicBool::new(false);
            tokio::spawn(async move {
                db.write(move |_| {
                    if !has_run.swap(true, Ordering::SeqCst) {
                        reached.wait();
                        released.wait();
                    }
                    Ok(())
                })
                .await
            })
        };
        tokio::task::spawn_blocking(move || reached.wait()).await.expect("the executor is blocked");
        Self { released, running }
    }
}

/// Runs 32 transactions in one commit; returns their outcomes in order.
async fn run_in_one_batch(
    fresh: &Fresh,
    transaction: fn(&mut Conn, i64) -> Result<(), Error>,
) -> Vec<Result<(), Error>> {
    let blocker = Blocker::block(&fresh.db).await;
    let (outcomes, ()) =
        tokio::join!(join_all((0..31).map(|id| fresh.db.write(move |conn| transaction(conn, id)))), async {
            // The others have been polled once, so they are queued.
            blocker.released.wait();
        });
    blocker.running.await.expect("a task").expect("a transaction");
    outcomes
}

#[tokio::test]
async fn a_failed_member_of_a_batch_is_rolled_back_alone() {
    let fresh = Fresh::new(4).await;
    // The second batch has savepoints from the start.
    for round in 0..2 {
        let outcomes = run_in_one_batch(&fresh, |conn, id| {
            insert(conn, id)?;
            match id % 32 {
                3 => Err(code::NOT_FOUND.refusal().into()),
                7 => insert(conn, id),
                11 => crate::state::db::savepoint(conn, |conn| {
                    insert(conn, id + 1000)?;
                    panic!("in a savepoint of its own")
                }),
                15 => {
                    assert!(conn.batch_execute("SELECT no_such_column FROM counters").is_err());
                    Ok(())
                }
                _ => Ok(()),
            }
        })
        .await;
        assert!(matches!(&outcomes[3], Err(Error::Refused(_))), "{:?}", outcomes[3]);
        for fault in [7, 11] {
            assert!(matches!(&outcomes[fault], Err(Error::Failed(failure)) if failure.kind() == Kind::Fault));
        }
        let expected: Vec<i64> = (0..31).filter(|id| outcomes[usize::try_from(*id).expect("small")].is_ok()).collect();
        // On PostgreSQL a failed statement fails the transaction even if its error is ignored.
        assert!((27..=28).contains(&expected.len()), "{outcomes:?}");
        assert_eq!(fresh.db.read(ids).await.expect("ids"), expected, "round {round}");
        fresh.direct(|conn| conn.batch_execute("DELETE FROM counters").expect("an empty table"));
    }
}

#[tokio::test]
async fn members_of_a_batch_see_each_other_and_are_answered_after_the_commit() {
    let fresh = Fresh::new(4).await;
    let outcomes = run_in_one_batch(&fresh, |conn, id| {
        let present: i64 = counters::table.count().get_result(conn)?;
        assert_eq!(present, id, "those before are done");
        insert(conn, id)
    })
    .await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(fresh.db.read(ids).await.expect("ids").len(), outcomes.len());
}

#[tokio::test]
async fn an_error_that_is_ignored_is_not_answered_as_committed() {
    let fresh = Fresh::new(2).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    let outcome = fresh
        .db
        .write(|conn| {
            insert(conn, 2)?;
            assert!(insert(conn, 1).is_err());
            Ok(())
        })
        .await;
    let present = fresh.db.read(ids).await.expect("ids").contains(&2);
    assert_eq!(outcome.is_ok(), present, "what is answered is what is there");
}

#[tokio::test]
async fn a_query_cannot_write() {
    let fresh = Fresh::new(2).await;
    assert!(fresh.db.read(|conn| insert(conn, 1)).await.is_err());
    assert!(fresh.db.read(ids).await.expect("ids").is_empty());
}

#[tokio::test]
async fn work_whose_caller_has_gone_does_not_begin() {
    let fresh = Fresh::new(1).await;
    let blocker = Blocker::block(&fresh.db).await;
    let write = fresh.db.write(|conn| insert(conn, 1));
    assert!(futures_util::FutureExt::now_or_never(write).is_none(), "it is queued, and its caller goes away");
    blocker.released.wait();
    fresh.db.write(|conn| insert(conn, 2)).await.expect("a counter");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [2]);
    blocker.running.await.expect("a task").expect("a transaction");
}

#[tokio::test]
async fn queued_work_is_done_before_the_database_closes_and_no_later_work() {
    let fresh = Fresh::new(2).await;
    let (written, ()) = tokio::join!(fresh.db.write(|conn| insert(conn, 1)), fresh.db.close());
    written.expect("a counter");
    let Err(Error::Failed(failure)) = fresh.db.write(|conn| insert(conn, 2)).await else { panic!("a failure") };
    assert_eq!(failure.kind(), Kind::Unavailable);
    assert_eq!(fresh.number("SELECT count(*) AS number FROM counters"), 1);
}
