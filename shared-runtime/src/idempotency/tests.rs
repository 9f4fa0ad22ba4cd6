//! Commands that are sent more than once, on both databases.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use diesel::{ExpressionMethods as _, RunQueryDsl as _};
use futures_util::future::join_all;
use shared_model::{Error, NextAction, Timestamp, code};

use super::{
    SWEEP,
    lookup::{Known, find},
    once::Bound,
    record::WINDOW,
    run,
    sweep::MARGIN,
};
use crate::{
    base::clock::Clock,
    http::reply::{Answer, ReplyBody, Success as _},
    on_each,
    state::{
        db::{
            Conn, Db, LaneKey,
            tables::idempotency,
            tests::{counters, fresh::Fresh, identity, ids},
        },
        in_flight::{InFlightLocks, LockOutcome},
    },
};

const NOW: Timestamp = Timestamp::from_seconds(1_795_253_400);

fn command(key: u8, request: u8) -> Bound {
    Bound { scope: [key; 32], fingerprint: [request; 32], lane: LaneKey::from_name(b"ada") }
}

fn local() -> Arc<InFlightLocks> {
    Arc::new(InFlightLocks::new(Clock::at(NOW), None))
}

/// Creates a counter and answers with its id; counts its runs.
fn create(id: i64, runs: &Arc<AtomicUsize>) -> impl Fn(&mut Conn) -> Result<Answer<i64>, Error> + Send + 'static {
    let runs = Arc::clone(runs);
    move |conn| {
        runs.fetch_add(1, Ordering::SeqCst);
        diesel::insert_into(counters::table).values((counters::id.eq(id), counters::value.eq(0))).execute(conn)?;
        Ok(Answer::ok(&id)?.accepted().header("location", format!("/counters/{id}")))
    }
}

/// Status, payload, headers, and whether it is a replay.
fn parts_of(answer: Answer<i64>) -> (u16, String, Vec<(String, String)>, bool) {
    let reply = answer.into_reply();
    let ReplyBody::Payload { json, replayed, .. } = reply.body else { panic!("a payload") };
    (reply.status.as_u16(), json, reply.headers, replayed)
}

fn refused(outcome: Result<Answer<i64>, Error>) -> Box<shared_model::Refusal> {
    match outcome {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn the_same_key_twice_acts_once_and_answers_the_same() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let locks = local();
    let first = parts_of(run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await.expect("done"));
    assert_eq!(first, (202, "5".to_owned(), vec![("location".to_owned(), "/counters/5".to_owned())], false));
    // With the mark that it is done, and without.
    for locks in [locks, local()] {
        let again = parts_of(run::once(&fresh.db, &locks, NOW, command(1, 1), create(6, &runs)).await.expect("done"));
        assert_eq!(again, (first.0, first.1.clone(), first.2.clone(), true));
    }
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [5]);
}

#[tokio::test]
async fn a_replay_wins_over_a_refusal_or_failure_of_the_second_run() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    run::once(&fresh.db, &local(), NOW, command(1, 1), create(5, &runs)).await.expect("done");
    let refusing = |_: &mut Conn| -> Result<Answer<i64>, Error> { Err(code::NOT_FOUND.refusal().into()) };
    let replay = run::once(&fresh.db, &local(), NOW, command(1, 1), refusing).await;
    assert!(parts_of(replay.expect("a replay")).3);
    // The counter is there already: its unique key is in the way.
    let replay = run::once(&fresh.db, &local(), NOW, command(1, 1), create(5, &runs)).await;
    assert!(parts_of(replay.expect("a replay")).3);
}

#[tokio::test]
async fn a_replay_wins_over_a_refusal_in_the_same_batch() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    // As two processes, which share nothing but the database.
    let (one, other) = (local(), local());
    let (begin, has_begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let hold = fresh.db.write_in(command(1, 1).lane, move |_| {
        // It runs again when a member of its batch is refused, and then nobody waits.
        let _ = begin.send(());
        let _ = released.lock().expect("one transaction").recv();
        Ok(())
    });
    let commands = async {
        tokio::task::spawn_blocking(move || has_begun.recv()).await.expect("a thread").expect("it has begun");
        let refusing = |_: &mut Conn| -> Result<Answer<i64>, Error> { Err(code::NOT_FOUND.refusal().into()) };
        tokio::join!(
            run::once(&fresh.db, &one, NOW, command(1, 1), create(5, &runs)),
            run::once(&fresh.db, &other, NOW, command(1, 1), refusing),
            // The others have been polled once, so they are queued.
            async { drop(release) },
        )
    };
    let (held, (first, second, ())) = tokio::join!(hold, commands);
    held.expect("a transaction");
    let (first, second) = (parts_of(first.expect("done")), parts_of(second.expect("a replay")));
    assert_eq!(second, (first.0, first.1.clone(), first.2.clone(), true));
    assert!(!first.3);
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [5]);
}

#[tokio::test]
async fn a_refused_command_does_not_wait_for_the_write_behind_it() {
    let (fresh, locks) = (Fresh::new(2).await, local());
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let refused_command = async {
        let refusing = |_: &mut Conn| -> Result<Answer<i64>, Error> { Err(code::NOT_FOUND.refusal().into()) };
        let outcome = run::once(&fresh.db, &locks, NOW, command(1, 1), refusing).await;
        drop(release);
        outcome
    };
    let behind = fresh.db.write_in(command(1, 1).lane, move |_| {
        // Until the command is answered.
        let _ = released.lock().expect("one transaction").recv();
        Ok(())
    });
    // The command is polled first, so it is queued first.
    let (outcome, behind) = tokio::join!(refused_command, behind);
    assert_eq!(refused(outcome).code, &code::NOT_FOUND);
    behind.expect("a transaction");
}

#[tokio::test]
async fn eight_parallel_callers_with_one_key_have_one_effect() {
    let fresh = Fresh::new(4).await;
    // First with one set of locks, then as eight processes that share nothing but the database.
    let shared = local();
    for (key, locks) in [(1, vec![shared; 8]), (2, (0..8).map(|_| local()).collect())] {
        let runs = Arc::default();
        let (db, locks, runs) = (&fresh.db, &locks, &runs);
        let outcomes = join_all((0..8_usize).map(|caller| async move {
            let id = i64::from(key) * 100 + i64::try_from(caller).expect("small");
            run::once(db, &locks[caller], NOW, command(key, 1), create(id, runs)).await
        }))
        .await;
        let answers: Vec<_> = outcomes.into_iter().map(|outcome| parts_of(outcome.expect("done"))).collect();
        assert_eq!(answers.iter().filter(|answer| !answer.3).count(), 1, "one did it");
        assert!(answers.iter().all(|answer| answer.1 == answers[0].1), "all say the same");
        assert_eq!(fresh.db.read(ids).await.expect("ids").len(), usize::from(key));
    }
}

#[tokio::test]
async fn another_request_under_the_same_key_is_refused() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let locks = local();
    run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await.expect("done");
    for locks in [locks, local()] {
        let refusal = refused(run::once(&fresh.db, &locks, NOW, command(1, 2), create(6, &runs)).await);
        assert_eq!(refusal.code, &code::IDEMPOTENCY_KEY_REUSED);
        let next = NextAction::NewKey { operation: None, first_used_at: Some(NOW), href: None };
        assert_eq!(refusal.next_action(true), Some(next));
    }
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [5]);
}

#[tokio::test]
async fn a_refusal_or_a_panic_does_not_burn_the_key() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let locks = local();
    let refusing = |_: &mut Conn| -> Result<Answer<i64>, Error> { Err(code::NOT_FOUND.refusal().into()) };
    let refusal = refused(run::once(&fresh.db, &locks, NOW, command(1, 1), refusing).await);
    assert_eq!(refusal.code, &code::NOT_FOUND);
    let panicking = |_: &mut Conn| -> Result<Answer<i64>, Error> { panic!("on purpose") };
    assert!(matches!(run::once(&fresh.db, &locks, NOW, command(1, 1), panicking).await, Err(Error::Failed(_))));
    assert_eq!(fresh.number("SELECT count(*) AS number FROM idempotency"), 0);
    // Another request is not the same, and neither is it refused: nothing was done under the key.
    let answer = run::once(&fresh.db, &locks, NOW, command(1, 2), create(5, &runs)).await.expect("done");
    assert!(!parts_of(answer).3);
}

#[tokio::test]
async fn after_a_day_the_key_can_be_used_again() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let locks = local();
    run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await.expect("done");
    let last_moment = NOW.plus(WINDOW).minus(Duration::from_micros(1));
    let replay = run::once(&fresh.db, &locks, last_moment, command(1, 1), create(6, &runs)).await;
    assert!(parts_of(replay.expect("a replay")).3);
    let second = run::once(&fresh.db, &locks, NOW.plus(WINDOW), command(1, 1), create(7, &runs)).await;
    assert!(!parts_of(second.expect("done")).3);
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [5, 7]);
}

#[tokio::test]
async fn a_mark_is_not_believed_when_the_database_was_restored_from_before_the_command() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let locks = local();
    run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await.expect("done");
    fresh.direct(|conn| {
        on_each!(conn, |c| diesel::delete(idempotency::table).execute(c)).expect("deleted");
        on_each!(conn, |c| diesel::delete(counters::table).execute(c)).expect("deleted");
    });
    let answer = run::once(&fresh.db, &locks, NOW, command(1, 1), create(6, &runs)).await.expect("done again");
    assert!(!parts_of(answer).3);
    assert_eq!(fresh.db.read(ids).await.expect("ids"), [6]);
}

#[tokio::test]
async fn a_command_that_still_runs_is_waited_for_and_then_refused() {
    let (fresh, runs) = (Fresh::new(1).await, Arc::default());
    let locks = local();
    let key = format!("once:{}", hex::encode([1; 32]));
    // The clock of these locks stands still: the lock does not expire.
    assert_eq!(locks.acquire(&key, "another", Duration::from_secs(2)).await, LockOutcome::Acquired);
    let refusal = refused(run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await);
    assert_eq!(refusal.code, &code::IDEMPOTENCY_IN_PROGRESS);
    assert_eq!(refusal.next_action(true), Some(NextAction::Wait { after_seconds: 1 }));
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_lock_of_a_process_that_died_delays_a_retry_for_no_longer_than_the_wait() {
    let (fresh, runs) = (Fresh::new(1).await, Arc::default());
    let locks = InFlightLocks::new(Clock::System, None);
    let key = format!("once:{}", hex::encode([1; 32]));
    assert_eq!(locks.acquire(&key, "the dead", Duration::from_secs(2)).await, LockOutcome::Acquired);
    let answer = run::once(&fresh.db, &locks, NOW, command(1, 1), create(5, &runs)).await;
    assert!(!parts_of(answer.expect("done after the wait")).3);
}

#[tokio::test]
async fn a_key_is_looked_up_after_the_end_of_a_command_that_no_lock_shows() {
    let (fresh, runs) = (Fresh::new(2).await, Arc::default());
    let other = Db::open(&fresh.url, 2, identity()).await.expect("the same database");
    // In the same process, whose lock was released when its caller gave up; and in another process without Redis.
    for (key, db) in [(1_u8, &fresh.db), (2, &other)] {
        let (begin, has_begun) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let (its_locks, locks, create) = (local(), local(), create(i64::from(key), &runs));
        let running = run::once(&fresh.db, &its_locks, NOW, command(key, 1), move |conn| {
            begin.send(()).expect("the test waits");
            let _ = released.lock().expect("one transaction").recv();
            create(conn)
        });
        let looked_up = async {
            tokio::task::spawn_blocking(move || has_begun.recv()).await.expect("a thread").expect("it has begun");
            let mut found = pin!(find(db, &locks, command(key, 1).lane, vec![[key; 32], [9; 32]], NOW));
            // The time is what is tested: the look must not end before the command.
            let early = tokio::time::timeout(Duration::from_millis(300), found.as_mut()).await;
            assert!(early.is_err(), "it waits");
            drop(release);
            found.await
        };
        let (done, found) = tokio::join!(running, looked_up);
        assert!(!parts_of(done.expect("done")).3);
        assert!(matches!(found.expect("a look")[..], [Some(Known::Recorded(_)), None]));
    }
    other.close().await;
}

#[tokio::test]
async fn the_sweep_deletes_only_expired_records() {
    let fresh = Fresh::new(2).await;
    fresh
        .db
        .write(|conn| {
            for number in 0..1_203_u32 {
                let mut scope = [0; 32];
                scope[..4].copy_from_slice(&number.to_be_bytes());
                let expires_at = if number < 3 { NOW.plus(WINDOW) } else { NOW };
                diesel::insert_into(idempotency::table)
                    .values((
                        idempotency::scope.eq(scope.as_slice()),
                        idempotency::fingerprint.eq([0; 32].as_slice()),
                        idempotency::created_at.eq(NOW.minus(WINDOW)),
                        idempotency::expires_at.eq(expires_at),
                    ))
                    .execute(conn)?;
            }
            Ok(())
        })
        .await
        .expect("rows");
    // A retry that began before the end still finds its record.
    let before = NOW.plus(MARGIN).minus(Duration::from_micros(1));
    assert_eq!(SWEEP.run(&fresh.db, before).await.expect("a sweep"), 0);
    assert_eq!(SWEEP.run(&fresh.db, NOW.plus(MARGIN)).await.expect("a sweep"), 1_200);
    assert_eq!(fresh.number("SELECT count(*) AS number FROM idempotency"), 3);
}
