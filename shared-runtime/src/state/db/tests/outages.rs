//! Databases that are slow, down, or come back.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use diesel::connection::SimpleConnection as _;
use shared_model::{Error, failure::Kind};
use tokio::{sync::oneshot, task::JoinHandle, time::Instant};

use super::{fresh::Fresh, identity, ids, insert};
use crate::{
    base::metrics::Metrics,
    state::db::{Conn, Db, database::MAX_QUEUED_READS},
};

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn broken_connections_are_replaced_without_anybody_noticing() {
    let fresh = Fresh::on_postgresql(3).await;
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a counter");
    for round in 2..6 {
        for _ in 0..8 {
            fresh.db.read(ids).await.expect("ids");
        }
        fresh.break_connections();
        assert_eq!(fresh.db.read(ids).await.expect("a read after the break").len(), round - 1);
        fresh.break_connections();
        let id = i64::try_from(round).expect("small");
        fresh.db.write(move |conn| insert(conn, id)).await.expect("a write after the break");
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_reported_at_once() {
    // Nothing listens on port 1.
    let url = "postgres://nobody@127.0.0.1:1/nothing";
    let db = Db::open(url, 2, identity()).await.expect("the server need not be there yet");
    let began = Instant::now();
    for _ in 0..20 {
        let Err(Error::Failed(failure)) = db.read(ids).await else { panic!("a failure") };
        assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
        let Err(Error::Failed(failure)) = db.write(|conn| insert(conn, 1)).await else { panic!("a failure") };
        assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
    }
    assert!(db.ping().await.is_err());
    assert!(began.elapsed() < Duration::from_secs(2));
}

/// A thread that does not return stands for a server that neither answers nor closes.
#[tokio::test]
async fn a_stuck_thread_delays_neither_callers_nor_the_stop() {
    let fresh = Fresh::new(1).await;
    let metrics = Metrics::for_service("test");
    fresh.db.measure(&metrics);
    let (_never_sent, frozen) = mpsc::channel::<()>();
    let frozen = Mutex::new(frozen);
    let stuck = fresh.db.read(move |_| Ok(frozen.lock().expect("a lock").recv().is_ok()));
    let (stuck, waiting) = tokio::join!(stuck, fresh.db.read(ids));
    let Err(Error::Failed(failure)) = stuck else { panic!("a failure") };
    assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
    let Err(Error::Failed(failure)) = waiting else { panic!("the only reader is stuck") };
    assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
    let metrics = metrics.render();
    for sample in [
        "database_refused_total{surface=\"test\",side=\"read\"} 1\n",
        "database_wait_seconds_count{surface=\"test\",side=\"read\"} 2\n",
    ] {
        assert!(metrics.contains(sample), "{sample} is not in:\n{metrics}");
    }
    fresh.db.close().await;
}

#[tokio::test]
async fn work_that_begins_late_and_is_slow_is_no_outage() {
    let fresh = Fresh::new(1).await;
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    // The first ends after three seconds. The other begins then, and does not end in time.
    let first = fresh.db.read(|_| {
        thread::sleep(Duration::from_secs(3));
        Ok(())
    });
    let slow = fresh.db.read(move |_| Ok(held.lock().expect("a lock").recv().is_ok()));
    let (first, slow) = tokio::join!(first, slow);
    first.expect("it reads");
    let Err(Error::Failed(failure)) = slow else { panic!("a failure") };
    assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
    assert!(!failure.is_already_logged() && fresh.db.outage().is_none(), "{failure}");
    release.send(()).expect("the reader waits");
    fresh.db.read(ids).await.expect("it reads again");
}

#[tokio::test]
async fn a_long_write_is_waited_for() {
    let fresh = Fresh::new(1).await;
    let (begun, has_begun) = oneshot::channel();
    let (release, held) = mpsc::channel::<()>();
    let hold = Mutex::new(Some((begun, held)));
    let hold = move |conn: &mut Conn| {
        let (begun, held) = hold.lock().expect("a lock").take().expect("the first run");
        begun.send(()).expect("the test waits");
        held.recv().expect("the test releases it");
        insert(conn, 1)
    };
    let db = fresh.db.clone();
    let long = tokio::spawn(async move { db.write_long(hold).await });
    has_begun.await.expect("it has begun");
    // A minute passes at once, with every timeout in it.
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(60)).await;
    tokio::time::resume();
    release.send(()).expect("the writer waits");
    long.await.expect("no panic").expect("it is written");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [1]);
}

/// Makes PostgreSQL end the connection of the transaction, at the next statement or at the commit.
const KILL: &str = "SELECT pg_terminate_backend(pg_backend_pid())";

#[tokio::test]
async fn a_connection_that_breaks_before_the_commit_is_replaced_and_the_transaction_repeated() {
    let fresh = Fresh::new(2).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let write = fresh.db.write(move |conn| {
        insert(conn, 1)?;
        if counted.fetch_add(1, Ordering::SeqCst) == 0 && matches!(conn, Conn::Postgres(_)) {
            conn.batch_execute(KILL)?;
        }
        Ok(())
    });
    write.await.expect("the second run");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [1]);
    assert_eq!(runs.load(Ordering::SeqCst), if fresh.url.starts_with("sqlite:") { 1 } else { 2 });
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_commit_whose_answer_is_lost_is_not_repeated() {
    let fresh = Fresh::on_postgresql(2).await;
    // A deferred trigger runs at the commit.
    let trigger = format!(
        "CREATE FUNCTION kill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ({KILL}); RETURN NULL; END $$; \
         CREATE CONSTRAINT TRIGGER kill AFTER INSERT ON counters DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW WHEN (NEW.id = 7) EXECUTE FUNCTION kill()"
    );
    fresh.direct(|conn| conn.batch_execute(&trigger).expect("a trigger"));
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let write = fresh.db.write(move |conn| {
        counted.fetch_add(1, Ordering::SeqCst);
        insert(conn, 7)
    });
    let Err(Error::Failed(failure)) = write.await else { panic!("nobody knows whether it is done") };
    assert_eq!(failure.kind(), Kind::Unavailable, "{failure}");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    fresh.db.write(|conn| insert(conn, 8)).await.expect("on another connection");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [8]);
}

#[tokio::test]
async fn another_process_that_writes_for_a_second_only_delays() {
    let fresh = Arc::new(Fresh::new(2).await);
    fresh.db.ping().await.expect("it answers");
    let (held, is_held) = mpsc::channel();
    let other = thread::spawn({
        let fresh = Arc::clone(&fresh);
        move || {
            fresh.direct(|conn| {
                conn.batch_execute("BEGIN").expect("a transaction");
                conn.batch_execute("INSERT INTO counters (id, value) VALUES (1, 0)").expect("the lock");
                held.send(()).expect("somebody waits");
                // The second is what is tested, not a wait for something.
                thread::sleep(Duration::from_secs(1));
                conn.batch_execute("COMMIT").expect("a commit");
            });
        }
    });
    is_held.recv().expect("the lock is held");
    fresh.db.write(|conn| insert(conn, 2)).await.expect("it waits");
    other.join().expect("the other process ends");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [1, 2]);
}

/// A read that tells when it begins, and lasts until it is released.
fn long_read(db: &Db) -> (JoinHandle<Result<(), Error>>, oneshot::Receiver<()>, mpsc::Sender<()>) {
    let (begun, has_begun) = oneshot::channel();
    let (release, held) = mpsc::channel::<()>();
    let hold = Mutex::new(Some((begun, held)));
    let hold = move |_: &mut Conn| {
        let (begun, held) = hold.lock().expect("a lock").take().expect("the first run");
        begun.send(()).expect("the test waits");
        held.recv().expect("the test releases it");
        Ok(())
    };
    let db = db.clone();
    (tokio::spawn(async move { db.read(hold).await }), has_begun, release)
}

/// Queues this much work, while the only reader is busy.
async fn queue(db: &Db, count: usize) -> Vec<JoinHandle<Result<Vec<i64>, Error>>> {
    let full = db.0.reads.len() + count;
    let read = || {
        let db = db.clone();
        tokio::spawn(async move { db.read(ids).await })
    };
    let queued = (0..count).map(|_| read()).collect();
    while db.0.reads.len() < full {
        tokio::task::yield_now().await;
    }
    queued
}

#[tokio::test]
async fn neither_a_slow_ping_nor_a_full_queue_is_an_outage() {
    let fresh = Fresh::new(1).await;
    let (holding, has_begun, release) = long_read(&fresh.db);
    has_begun.await.expect("the only reader is busy");
    let slow = fresh.db.ping().await.expect_err("nobody reads");
    assert!(!slow.is_already_logged() && slow.to_string().contains("within a second"), "{slow}");

    // The ping has left one place in the queue.
    let queued = queue(&fresh.db, MAX_QUEUED_READS - 1).await;
    let Err(Error::Failed(full)) = fresh.db.read(ids).await else { panic!("there is no place") };
    assert!(full.is_already_logged() && full.to_string().contains("too much work"), "{full}");
    let full = fresh.db.ping().await.expect_err("nobody reads");
    assert!(full.is_already_logged() && full.to_string().contains("too much work"), "{full}");
    assert_eq!(fresh.db.outage(), None);

    release.send(()).expect("the reader waits");
    holding.await.expect("no panic").expect("it reads");
    for read in queued {
        read.await.expect("no panic").expect("it was queued in time");
    }
}

#[tokio::test]
async fn a_ping_without_a_place_or_without_time_succeeds_while_others_are_answered() {
    let fresh = Fresh::new(1).await;
    for behind in [0, MAX_QUEUED_READS - 1] {
        let (first, has_begun, release) = long_read(&fresh.db);
        has_begun.await.expect("the only reader is busy");
        // It keeps the reader busy until the ping has ended.
        let (second, _has_begun, release_second) = long_read(&fresh.db);
        while fresh.db.0.reads.len() == 0 {
            tokio::task::yield_now().await;
        }
        let queued = queue(&fresh.db, behind).await;
        // The ping begins before the first read is answered.
        let (ping, ()) = tokio::join!(biased; fresh.db.ping(), async { release.send(()).expect("the reader waits") });
        ping.expect("another was answered");
        release_second.send(()).expect("the reader waits");
        for read in [first, second] {
            read.await.expect("no panic").expect("it reads");
        }
        for read in queued {
            read.await.expect("no panic").expect("it was queued in time");
        }
    }
    assert_eq!(fresh.db.outage(), None);
}
