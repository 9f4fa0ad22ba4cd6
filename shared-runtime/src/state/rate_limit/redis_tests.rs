//! Rate limits against a real `redis-server`.

use std::sync::Arc;

use shared_model::Timestamp;
use tokio::time;

use super::{class::RateLimits, limiter::RateLimiter};
use crate::{
    base::clock::Clock,
    state::redis_link::{CALL_TIMEOUT, RETRY_INTERVAL, RedisLink, test_server::RedisServer},
};

const MINUTE: i64 = 30_000_000;
const NOW: Timestamp = Timestamp::from_seconds(MINUTE * 60);

fn clock() -> Clock {
    Clock::at(NOW)
}

fn replica(link: RedisLink) -> Arc<RateLimiter> {
    Arc::new(RateLimiter::new("test", RateLimits::default(), Clock::at(NOW), Some(link)))
}

/// A replica that is connected already: during a first call, other calls continue without Redis.
async fn connected(redis: &RedisServer) -> Arc<RateLimiter> {
    let replica = replica(redis.link(&clock()));
    replica.count("the first call", NOW).await;
    replica
}

async fn count(replica: &RateLimiter, times: usize) -> Vec<u64> {
    let mut counts = Vec::new();
    for _ in 0..times {
        counts.push(replica.count("k", NOW).await);
    }
    counts
}

/// The counts of parallel callers, sorted.
async fn parallel_counts(replicas: &[Arc<RateLimiter>], times: usize) -> Vec<u64> {
    let calls: Vec<_> = (0..times)
        .map(|call| {
            let replica = Arc::clone(&replicas[call % replicas.len()]);
            tokio::spawn(async move { replica.count("k", NOW).await })
        })
        .collect();
    let mut counts = Vec::new();
    for call in calls {
        counts.push(call.await.expect("no panic"));
    }
    counts.sort_unstable();
    counts
}

/// Many times [`CALL_TIMEOUT`], so that it passes on a busy machine, but less than one per request.
async fn soon<T>(work: impl Future<Output = T>) -> T {
    time::timeout(CALL_TIMEOUT * 12, work).await.expect("only the request that finds Redis away waits")
}

#[tokio::test]
async fn replicas_share_one_window_that_expires() {
    let redis = RedisServer::start();
    let (one, two) = (replica(redis.link(&clock())), replica(redis.link(&clock())));
    assert_eq!(count(&one, 2).await, [1, 2]);
    assert_eq!(count(&two, 2).await, [3, 4]);
    assert_eq!(count(&one, 1).await, [5]);
    assert_eq!(one.count("k", Timestamp::from_seconds((MINUTE + 1) * 60)).await, 1);
    let key = format!("fourfold:{{k}}:{MINUTE}");
    assert!(matches!(redis.say(&format!("TTL {key}")).trim(), ":90" | ":89"), "{}", redis.say(&format!("TTL {key}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_in_parallel_each_get_their_own_number() {
    let redis = RedisServer::start();
    let replicas = [connected(&redis).await, connected(&redis).await];
    let counts = parallel_counts(&replicas, 64).await;
    assert_eq!(counts, (1..=64).collect::<Vec<_>>());
}

#[tokio::test]
async fn requests_during_the_first_connection_attempt_are_counted() {
    let redis = RedisServer::start();
    let first = replica(redis.link(&clock()));
    let counts = parallel_counts(&[first], 8).await;
    assert_eq!(counts, (1..=8).collect::<Vec<_>>());
    assert_eq!(count(&replica(redis.link(&clock())), 1).await, [9]);
}

#[tokio::test]
async fn counts_go_on_at_their_level_when_redis_dies_and_when_it_is_back() {
    let mut redis = RedisServer::start();
    let clock = clock();
    let link = redis.link(&clock);
    let (one, two) = (replica(link.clone()), replica(redis.link(&clock)));
    assert_eq!(count(&two, 2).await, [1, 2]);
    assert_eq!(count(&one, 2).await, [3, 4]);
    assert_eq!(link.outage(), None);

    redis.kill();
    assert_eq!(soon(count(&one, 3)).await, [5, 6, 7]);
    assert!(link.outage().is_some());

    redis.restart();
    assert_eq!(count(&one, 1).await, [8], "still within the retry interval");
    assert!(link.outage().is_some());
    clock.advance(RETRY_INTERVAL);
    assert_eq!(count(&one, 1).await, [9]);
    assert!(link.outage().is_none());
    // The other replica learns the count through Redis. Its own connection broke with the old server.
    assert_eq!(count(&two, 1).await, [3]);
    clock.advance(RETRY_INTERVAL);
    assert_eq!(count(&two, 1).await, [10]);
}

#[tokio::test]
async fn replicas_that_take_turns_keep_to_one_limit_when_redis_dies() {
    const LIMIT: u64 = 600;
    let mut redis = RedisServer::start();
    let replicas = [connected(&redis).await, connected(&redis).await, connected(&redis).await];
    let let_through = async |times: usize, now: Timestamp| {
        let mut fine = 0;
        for turn in 0..times {
            fine += u64::from(replicas[turn % 3].count("k", now).await <= LIMIT);
        }
        fine
    };
    let before = let_through(400, NOW).await;
    assert_eq!(before, 400);
    redis.kill();
    let in_all = before + let_through(800, NOW).await;
    assert!((LIMIT * 9 / 10..=LIMIT * 11 / 10).contains(&in_all), "{in_all} in the minute in which Redis died");
    let in_all = let_through(1200, Timestamp::from_seconds((MINUTE + 1) * 60)).await;
    assert!((LIMIT * 9 / 10..=LIMIT * 11 / 10).contains(&in_all), "{in_all} in a minute without Redis");
}

#[tokio::test]
async fn a_frozen_redis_is_left_alone_after_one_timeout() {
    let redis = RedisServer::start();
    let clock = clock();
    let replica = replica(RedisLink::new(&redis.settings(), clock.clone()).expect("a URL of Redis"));
    assert_eq!(count(&replica, 1).await, [1]);
    redis.signal("-STOP");
    assert_eq!(soon(count(&replica, 20)).await, (2..=21).collect::<Vec<_>>());
    clock.advance(RETRY_INTERVAL);
    assert_eq!(soon(count(&replica, 20)).await, (22..=41).collect::<Vec<_>>());
    redis.signal("-CONT");
}

#[tokio::test]
async fn a_flushed_redis_does_not_reset_the_limit() {
    let redis = RedisServer::start();
    let (one, two) = (replica(redis.link(&clock())), replica(redis.link(&clock())));
    assert_eq!(count(&one, 5).await, [1, 2, 3, 4, 5]);
    redis.say("FLUSHALL");
    redis.say("SCRIPT FLUSH");
    assert_eq!(count(&one, 2).await, [6, 7]);
    assert_eq!(count(&two, 1).await, [8]);
}

#[tokio::test]
async fn without_redis_from_the_start_this_process_counts() {
    let mut redis = RedisServer::start();
    redis.kill();
    let clock = clock();
    let link = redis.link(&clock);
    let replica = replica(link.clone());
    assert_eq!(link.outage(), None, "nobody has tried yet");
    assert_eq!(count(&replica, 3).await, [1, 2, 3]);
    assert!(link.outage().is_some());
    redis.restart();
    clock.advance(RETRY_INTERVAL);
    assert_eq!(count(&replica, 1).await, [4]);
    assert!(link.outage().is_none());
}
