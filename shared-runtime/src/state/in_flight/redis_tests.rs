//! In-flight locks against a real `redis-server`.

use std::{sync::Arc, time::Duration};

use shared_model::Timestamp;

use super::{lock_outcome::LockOutcome, locks::InFlightLocks};
use crate::{
    base::clock::Clock,
    state::redis_link::{RETRY_INTERVAL, test_server::RedisServer},
};

const TTL: Duration = Duration::from_secs(30);
const DAY: Duration = Duration::from_secs(86_400);

fn clock() -> Clock {
    Clock::at(Timestamp::from_seconds(1_800_000_000))
}

fn replica(redis: &RedisServer, clock: &Clock) -> Arc<InFlightLocks> {
    Arc::new(InFlightLocks::new(clock.clone(), Some(redis.link(clock))))
}

/// A replica that is connected already: during a first call, other calls continue without Redis.
async fn connected(redis: &RedisServer) -> Arc<InFlightLocks> {
    let replica = replica(redis, &clock());
    replica.is_running("the first call").await;
    replica
}

#[tokio::test(flavor = "multi_thread")]
async fn of_parallel_acquisitions_exactly_one_succeeds() {
    let redis = RedisServer::start();
    let replicas = [connected(&redis).await, connected(&redis).await];
    let calls: Vec<_> = (0..16)
        .map(|call| {
            let replica = replicas[call % 2].clone();
            tokio::spawn(async move { replica.acquire("k", &format!("owner {call}"), TTL).await })
        })
        .collect();
    let mut acquired = 0;
    for call in calls {
        match call.await.expect("no panic") {
            LockOutcome::Acquired => acquired += 1,
            LockOutcome::Running => {}
            LockOutcome::Done => panic!("no command is done"),
        }
    }
    assert_eq!(acquired, 1);
}

#[tokio::test]
async fn replicas_see_a_lock_running_then_done_then_expired() {
    let redis = RedisServer::start();
    let clock = clock();
    let (one, two) = (replica(&redis, &clock), replica(&redis, &clock));
    assert_eq!(one.acquire("k", "ada", TTL).await, LockOutcome::Acquired);
    assert_eq!(two.acquire("k", "bob", TTL).await, LockOutcome::Running);
    assert!(two.is_running("k").await);
    clock.advance(TTL / 2);
    one.extend("k", "ada", TTL).await;
    clock.advance(TTL / 2);
    assert_eq!(two.acquire("k", "bob", TTL).await, LockOutcome::Running);
    one.complete("k", "ada", DAY).await;
    assert_eq!(two.acquire("k", "bob", TTL).await, LockOutcome::Done);
    assert!(!two.is_running("k").await);
    one.release("k", "ada").await;
    assert_eq!(two.acquire("k", "bob", TTL).await, LockOutcome::Done);
    clock.advance(DAY);
    assert_eq!(two.acquire("k", "bob", TTL).await, LockOutcome::Acquired);
}

#[tokio::test]
async fn only_its_owner_frees_a_lock() {
    let redis = RedisServer::start();
    let clock = clock();
    let (one, two) = (replica(&redis, &clock), replica(&redis, &clock));
    one.acquire("k", "ada", TTL).await;
    two.release("k", "bob").await;
    two.extend("k", "bob", DAY).await;
    two.complete("k2", "bob", DAY).await;
    let three = replica(&redis, &clock);
    assert_eq!(three.acquire("k", "cyd", TTL).await, LockOutcome::Running);
    assert_eq!(three.acquire("k2", "cyd", TTL).await, LockOutcome::Done);
    one.release("k", "ada").await;
    assert_eq!(three.acquire("k", "cyd", TTL).await, LockOutcome::Acquired);
    clock.advance(TTL);
    assert_eq!(one.acquire("k", "ada", TTL).await, LockOutcome::Acquired);
}

#[tokio::test]
async fn locks_hold_in_this_process_while_redis_is_away() {
    let mut redis = RedisServer::start();
    let clock = clock();
    let survivor = replica(&redis, &clock);
    redis.kill();
    assert_eq!(survivor.acquire("k", "ada", TTL).await, LockOutcome::Acquired);
    assert_eq!(survivor.acquire("k", "bob", TTL).await, LockOutcome::Running);
    redis.restart();
    clock.advance(RETRY_INTERVAL);
    assert_eq!(survivor.acquire("k", "bob", TTL).await, LockOutcome::Running);
    survivor.complete("k", "ada", DAY).await;
    assert_eq!(replica(&redis, &clock).acquire("k", "cyd", TTL).await, LockOutcome::Done);
}
