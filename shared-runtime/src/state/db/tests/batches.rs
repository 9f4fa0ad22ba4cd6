//! Transactions that fail beside transactions that do not.

use std::sync::{Arc, Barrier};

use futures_util::future::join_all;
use shared_model::{Error, code, failure::Kind};

use super::{fresh::Fresh, ids, insert};
use crate::state::db::Conn;

/// Holds the writing thread until 32 transactions are queued behind, then lets them share a commit. The outcomes, in order.
async fn together(fresh: &Fresh, transaction: fn(&mut Conn, i64) -> Result<(), Error>) -> Vec<Result<(), Error>> {
    let (held, queued) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let hold = {
        let (held, queued) = (Arc::clone(&held), Arc::clone(&queued));
        let db = fresh.db.clone();
        tokio::spawn(async move {
            db.write(move |_| {
                held.wait();
                queued.wait();
                Ok(())
            })
            .await
        })
    };
    tokio::task::spawn_blocking(move || held.wait()).await.expect("held");
    let outcomes = tokio::join!(join_all((0..32).map(|id| fresh.db.write(move |conn| transaction(conn, id)))), async {
        // By now the 32 have been polled once: they are queued.
        queued.wait();
    });
    hold.await.expect("a task").expect("a transaction");
    outcomes.0
}

#[tokio::test]
async fn a_refused_deed_among_thirty_two_rolls_back_alone() {
    let fresh = Fresh::new(4).await;
    let outcomes = together(&fresh, |conn, id| {
        insert(conn, id)?;
        if id == 7 { Err(code::NOT_FOUND.refusal().into()) } else { Ok(()) }
    })
    .await;
    assert!(matches!(outcomes[7], Err(Error::Refused(_))));
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 31);
    let expected: Vec<i64> = (0..32).filter(|id| *id != 7).collect();
    assert_eq!(fresh.db.read(ids).await.expect("ids"), expected);
}

#[tokio::test]
async fn a_panicking_deed_among_thirty_two_fails_alone() {
    let fresh = Fresh::new(4).await;
    let outcomes = together(&fresh, |conn, id| {
        insert(conn, id)?;
        crate::state::db::savepoint(conn, |conn| {
            assert!(id != 7, "this one panics, in a savepoint of its own");
            insert(conn, id + 100)
        })
    })
    .await;
    assert!(matches!(&outcomes[7], Err(Error::Failed(failure)) if failure.kind() == Kind::Fault));
    let expected: Vec<i64> = (0..132).filter(|id| (*id < 32 && *id != 7) || (*id >= 100 && *id != 107)).collect();
    assert_eq!(fresh.db.read(ids).await.expect("ids"), expected);
}

#[tokio::test]
async fn a_deed_that_ignores_an_error_does_not_pretend_to_be_committed() {
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
async fn a_deed_that_nobody_waits_for_any_more_does_not_begin() {
    let fresh = Fresh::new(1).await;
    let (held, released) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let hold = {
        let (held, released) = (Arc::clone(&held), Arc::clone(&released));
        fresh.db.write(move |_| {
            held.wait();
            released.wait();
            Ok(())
        })
    };
    let given_up = async {
        tokio::task::spawn_blocking(move || held.wait()).await.expect("held");
        let transaction = fresh.db.write(|conn| insert(conn, 1));
        assert!(futures_util::FutureExt::now_or_never(transaction).is_none(), "it is queued, and its caller goes away");
        released.wait();
    };
    tokio::join!(hold, given_up).0.expect("a transaction");
    fresh.db.write(|conn| insert(conn, 2)).await.expect("a counter");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [2]);
}

#[tokio::test]
async fn what_is_queued_is_done_before_the_database_closes_and_nothing_after() {
    let fresh = Fresh::new(2).await;
    let (written, ()) = tokio::join!(fresh.db.write(|conn| insert(conn, 1)), fresh.db.close());
    written.expect("a counter");
    let Err(Error::Failed(failure)) = fresh.db.write(|conn| insert(conn, 2)).await else { panic!("a failure") };
    assert_eq!(failure.kind(), Kind::Unavailable);
    assert_eq!(fresh.number("SELECT count(*) AS number FROM counters"), 1);
}
