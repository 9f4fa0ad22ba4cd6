//! Transactions that run at the same time.

use std::sync::{Mutex, mpsc};

use diesel::{QueryDsl as _, RunQueryDsl as _, connection::SimpleConnection as _, dsl::count_star};
use futures_util::future::join_all;
use shared_model::{Error, code};

use super::{counters, fresh::Fresh, identity, ids, increment, insert};
use crate::state::db::{
    Conn, Db, LaneKey,
    connection::{address::Address, connection_mode::ConnectionMode},
    savepoint,
};

#[tokio::test]
async fn two_hundred_parallel_increments_lose_nothing() {
    let fresh = Fresh::new(8).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    let outcomes = join_all((0..200).map(|_| fresh.db.write(|conn| increment(conn, 1)))).await;
    let mut values: Vec<i64> = outcomes.into_iter().map(|outcome| outcome.expect("an increment")).collect();
    values.sort_unstable();
    assert_eq!(values, (1..=200).collect::<Vec<i64>>());
}

#[tokio::test]
async fn two_processes_that_hammer_one_row_lose_nothing() {
    let fresh = Fresh::new(4).await;
    let other = Db::open(&fresh.url, 4, identity()).await.expect("the same database");
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    let key = LaneKey::from_name(b"ada");
    let outcomes = join_all((0..200).map(|number| {
        let db = if number % 2 == 0 { &fresh.db } else { &other };
        async move {
            // With the row's key, or without a key.
            match number % 3 {
                0 => db.write(|conn| increment(conn, 1)).await,
                _ => db.write_in(key, |conn| increment(conn, 1)).await,
            }
        }
    }))
    .await;
    let mut values: Vec<i64> = outcomes.into_iter().map(|outcome| outcome.expect("an increment")).collect();
    values.sort_unstable();
    assert_eq!(values, (1..=200).collect::<Vec<i64>>());
    other.close().await;
}

#[tokio::test]
async fn keys_in_all_lanes_are_written_side_by_side() {
    let fresh = Fresh::new(4).await;
    let outcomes = join_all((0..64_i64).map(|id| {
        let key = LaneKey::from_name(&id.to_be_bytes());
        fresh.db.write_in(key, move |conn| {
            insert(conn, id)?;
            increment(conn, id)
        })
    }))
    .await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_ok_and(|value| value == 1)));
    assert_eq!(fresh.db.read(ids).await.expect("ids").len(), 64);
}

#[tokio::test]
async fn a_limit_that_transactions_count_is_never_passed() {
    let fresh = Fresh::new(8).await;
    let outcomes = join_all((0..40).map(|id| {
        fresh.db.write(move |conn| {
            let present: i64 = counters::table.select(count_star()).first(conn)?;
            if present < 10 { insert(conn, id).map(|()| true) } else { Ok(false) }
        })
    }))
    .await;
    assert_eq!(outcomes.into_iter().filter(|outcome| *outcome.as_ref().expect("a count")).count(), 10);
    assert_eq!(fresh.db.read(ids).await.expect("ids").len(), 10);
}

#[tokio::test]
async fn the_same_unique_key_in_parallel_is_taken_once_and_the_others_see_it() {
    let fresh = Fresh::new(8).await;
    let outcomes = join_all((0..16).map(|_| {
        fresh.db.write(|conn| {
            let present = counters::table.find(7).select(counters::id).load::<i64>(conn)?;
            if present.is_empty() { insert(conn, 7).map(|()| true) } else { Ok(false) }
        })
    }))
    .await;
    assert_eq!(outcomes.into_iter().filter(|outcome| *outcome.as_ref().expect("no failure")).count(), 1);
}

#[tokio::test]
async fn a_unique_key_that_is_still_taken_after_all_tries_is_a_fault() {
    let fresh = Fresh::new(2).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    let Err(Error::Failed(failure)) = fresh.db.write(|conn| insert(conn, 1)).await else { panic!("a failure") };
    assert_eq!(failure.kind(), shared_model::failure::Kind::Fault, "{failure}");
}

#[tokio::test]
async fn a_part_in_a_savepoint_may_fail_alone() {
    let fresh = Fresh::new(2).await;
    let transaction = |conn: &mut crate::state::db::Conn| {
        insert(conn, 1)?;
        assert!(savepoint(conn, |conn| insert(conn, 1)).is_err());
        insert(conn, 2)
    };
    fresh.db.write(transaction).await.expect("it goes on");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [1, 2]);
}

/// Another process, for instance a frozen one, may hold a lane longer than we wait. SQLite has no such lock.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_connection_still_works_after_a_wait_for_a_lane_timed_out() {
    let fresh = Fresh::on_postgresql(1).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("the lane is free");
    let mut other =
        Address::parse(&fresh.url).expect("an address").connect(ConnectionMode::Migrate).expect("a connection");
    other.batch_execute("SELECT pg_advisory_lock(hashtext(current_schema()), 0)").expect("the lane");
    // Like a lock_timeout, but sooner.
    let end_the_wait = async {
        let waits = "SELECT count(pg_cancel_backend(pid)) AS number FROM pg_stat_activity \
                     WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while fresh.number(waits) == 0 {
            tokio::task::yield_now().await;
        }
    };
    let (timed_out, ()) = tokio::join!(fresh.db.write(|conn| insert(conn, 2)), end_the_wait);
    timed_out.expect_err("the lane is somebody else's");
    other.batch_execute("SELECT pg_advisory_unlock_all()").expect("it was held");
    fresh.db.write(|conn| insert(conn, 2)).await.expect("the lane is free again");
}

#[tokio::test]
async fn a_snapshot_shows_the_same_rows_while_others_write() {
    let fresh = Fresh::new(2).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    let (read, has_read) = mpsc::channel();
    let (write, has_written) = mpsc::channel::<()>();
    let has_written = Mutex::new(has_written);
    let twice = move |conn: &mut Conn| {
        let before = ids(conn)?;
        read.send(()).expect("the test waits");
        has_written.lock().expect("a lock").recv().expect("a write");
        Ok((before, ids(conn)?))
    };
    let db = fresh.db.clone();
    let reading = tokio::spawn(async move { db.read_snapshot(twice).await });
    tokio::task::spawn_blocking(move || has_read.recv()).await.expect("no panic").expect("it reads");
    fresh.db.write(|conn| insert(conn, 2)).await.expect("nobody waits for the reader");
    write.send(()).expect("the reader waits");
    let (before, after) = reading.await.expect("no panic").expect("two lists");
    assert_eq!((before, after), (vec![1], vec![1]));
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [1, 2], "the connection has ended its transaction");
    // A refused query ends it too.
    let refused = fresh.db.read_snapshot(|_| Err::<(), _>(code::not_found().into())).await;
    assert!(matches!(refused, Err(Error::Refused(_))));
    for _ in 0..4 {
        assert_eq!(fresh.db.read(ids).await.expect("ids"), [1, 2]);
    }
}
