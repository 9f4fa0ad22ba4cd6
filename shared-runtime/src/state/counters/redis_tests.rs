//! Counters against a real `redis-server` that a test starts, kills, freezes, flushes and starts again.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use shared_model::Timestamp;
use tempfile::TempDir;
use tokio::time;

use super::{
    Counters, InRedis, Mark,
    link::{PATIENCE, PAUSE},
};
use crate::base::clock::Clock;

const MINUTE: i64 = 30_000_000;
const TTL: Duration = Duration::from_secs(30);
const DAY: Duration = Duration::from_secs(86_400);

/// A Redis of one test's own: loopback, a free port, nothing on disk.
struct Redis {
    port: u16,
    place: TempDir,
    child: Child,
}

impl Redis {
    fn start() -> Self {
        let place = tempfile::tempdir().unwrap();
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let child = Self::spawn(port, &place);
        Self { port, place, child }
    }

    fn spawn(port: u16, place: &TempDir) -> Child {
        let mut child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(place.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("these tests need redis-server on the PATH (Debian: apt-get install redis-server)");
        while say(port, "PING").is_none_or(|answer| !answer.starts_with("+PONG")) {
            assert!(child.try_wait().unwrap().is_none(), "redis-server ended at once; is port {port} taken?");
            std::thread::yield_now();
        }
        child
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn restart(&mut self) {
        self.child = Self::spawn(self.port, &self.place);
    }

    fn signal(&self, signal: &str) {
        let done = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
    }

    fn say(&self, command: &str) -> String {
        say(self.port, command).expect("Redis answers")
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// A replica that is past its first call, during which others would have gone on without Redis.
    async fn connected(&self, clock: &Clock) -> Counters {
        let replica = self.replica(clock);
        replica.count("the first call", MINUTE).await;
        replica
    }

    /// One replica's counters, patient enough for a machine that is busy with other tests.
    fn replica(&self, clock: &Clock) -> Counters {
        Counters::Redis(Arc::new(InRedis::new(&self.url(), Duration::from_secs(20), clock.clone()).unwrap()))
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // Gone already when the test has killed it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn say(port: u16, command: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
    let mut answer = [0; 512];
    let length = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..length]).into_owned())
}

fn clock() -> Clock {
    Clock::at(Timestamp::from_seconds(MINUTE * 60))
}

async fn count(counters: &Counters, times: usize) -> Vec<u64> {
    let mut counts = Vec::new();
    for _ in 0..times {
        counts.push(counters.count("k", MINUTE).await);
    }
    counts
}

/// What callers in parallel are told, in order.
async fn parallel_counts(replicas: &[Counters], times: usize) -> Vec<u64> {
    let calls: Vec<_> = (0..times)
        .map(|call| {
            let replica = replicas[call % replicas.len()].clone();
            tokio::spawn(async move { replica.count("k", MINUTE).await })
        })
        .collect();
    let mut counts = Vec::new();
    for call in calls {
        counts.push(call.await.unwrap());
    }
    counts.sort_unstable();
    counts
}

/// Far more than one [`PATIENCE`], so that a busy machine passes, and far less than many of them.
async fn soon<T>(work: impl Future<Output = T>) -> T {
    time::timeout(PATIENCE * 12, work).await.expect("only the request that finds Redis away waits")
}

#[tokio::test]
async fn replicas_share_one_window_that_expires() {
    let redis = Redis::start();
    let (one, two) = (redis.replica(&clock()), redis.replica(&clock()));
    assert_eq!(count(&one, 2).await, [1, 2]);
    assert_eq!(count(&two, 2).await, [3, 4]);
    assert_eq!(count(&one, 1).await, [5]);
    assert_eq!(one.count("k", MINUTE + 1).await, 1);
    let key = format!("fourfold:{{k}}:{MINUTE}");
    assert!(matches!(redis.say(&format!("TTL {key}")).trim(), ":90" | ":89"), "{}", redis.say(&format!("TTL {key}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_in_parallel_each_get_their_own_number() {
    let redis = Redis::start();
    let replicas = [redis.connected(&clock()).await, redis.connected(&clock()).await];
    let counts = parallel_counts(&replicas, 64).await;
    assert_eq!(counts, (1..=64).collect::<Vec<_>>());
}

#[tokio::test]
async fn those_who_come_while_the_first_is_connecting_are_not_forgotten() {
    let redis = Redis::start();
    let replica = redis.replica(&clock());
    let counts = parallel_counts(&[replica], 8).await;
    assert_eq!(counts, (1..=8).collect::<Vec<_>>());
    assert_eq!(count(&redis.replica(&clock()), 1).await, [9]);
}

#[tokio::test]
async fn counts_go_on_at_their_level_when_redis_dies_and_when_it_is_back() {
    let mut redis = Redis::start();
    let clock = clock();
    let (one, two) = (redis.replica(&clock), redis.replica(&clock));
    assert_eq!(count(&two, 2).await, [1, 2]);
    assert_eq!(count(&one, 2).await, [3, 4]);
    assert!(!one.is_degraded());

    redis.kill();
    assert_eq!(soon(count(&one, 3)).await, [5, 6, 7]);
    assert!(one.is_degraded());

    redis.restart();
    assert_eq!(count(&one, 1).await, [8], "still within the pause");
    assert!(one.is_degraded());
    clock.advance(PAUSE);
    assert_eq!(count(&one, 1).await, [9]);
    assert!(!one.is_degraded());
    // The other replica learns through Redis, which learnt from the first. Its own connection died with the old server.
    assert_eq!(count(&two, 1).await, [3]);
    clock.advance(PAUSE);
    assert_eq!(count(&two, 1).await, [10]);
}

#[tokio::test]
async fn a_frozen_redis_is_left_alone_after_one_timeout() {
    let redis = Redis::start();
    let clock = clock();
    let replica = Counters::redis(&redis.url(), clock.clone()).unwrap();
    assert_eq!(count(&replica, 1).await, [1]);
    redis.signal("-STOP");
    assert_eq!(soon(count(&replica, 20)).await, (2..=21).collect::<Vec<_>>());
    clock.advance(PAUSE);
    assert_eq!(soon(count(&replica, 20)).await, (22..=41).collect::<Vec<_>>());
    redis.signal("-CONT");
}

#[tokio::test]
async fn a_flushed_redis_does_not_reset_the_limit() {
    let redis = Redis::start();
    let (one, two) = (redis.replica(&clock()), redis.replica(&clock()));
    assert_eq!(count(&one, 5).await, [1, 2, 3, 4, 5]);
    redis.say("FLUSHALL");
    redis.say("SCRIPT FLUSH");
    assert_eq!(count(&one, 2).await, [6, 7]);
    assert_eq!(count(&two, 1).await, [8]);
}

#[tokio::test]
async fn without_redis_from_the_start_this_process_counts() {
    let mut redis = Redis::start();
    redis.kill();
    let clock = clock();
    let replica = redis.replica(&clock);
    assert!(!replica.is_degraded(), "nobody has tried yet");
    assert_eq!(count(&replica, 3).await, [1, 2, 3]);
    assert!(replica.is_degraded());
    redis.restart();
    clock.advance(PAUSE);
    assert_eq!(count(&replica, 1).await, [4]);
    assert!(!replica.is_degraded());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_parallel_marks_exactly_one_is_ours() {
    let redis = Redis::start();
    let replicas = [redis.connected(&clock()).await, redis.connected(&clock()).await];
    let calls: Vec<_> = (0..16)
        .map(|call| {
            let replica = replicas[call % 2].clone();
            tokio::spawn(async move { replica.mark("k", &format!("owner {call}"), TTL).await })
        })
        .collect();
    let mut ours = 0;
    for call in calls {
        match call.await.unwrap() {
            Mark::Ours => ours += 1,
            Mark::Running => {}
            Mark::Done(outcome) => panic!("nobody is done: {outcome}"),
        }
    }
    assert_eq!(ours, 1);
}

#[tokio::test]
async fn replicas_see_a_mark_running_then_done_then_expired() {
    let redis = Redis::start();
    let clock = clock();
    let (one, two) = (redis.replica(&clock), redis.replica(&clock));
    assert_eq!(one.mark("k", "ada", TTL).await, Mark::Ours);
    assert_eq!(two.mark("k", "bob", TTL).await, Mark::Running);
    clock.advance(TTL / 2);
    one.keep("k", "ada", TTL).await;
    clock.advance(TTL / 2);
    assert_eq!(two.mark("k", "bob", TTL).await, Mark::Running);
    one.done("k", "ada", "{\"lines\":\n\"ä\"}".to_owned(), DAY).await;
    assert_eq!(two.mark("k", "bob", TTL).await, Mark::Done("{\"lines\":\n\"ä\"}".to_owned()));
    one.release("k", "ada").await;
    assert_eq!(two.mark("k", "bob", TTL).await, Mark::Done("{\"lines\":\n\"ä\"}".to_owned()));
    clock.advance(DAY);
    assert_eq!(two.mark("k", "bob", TTL).await, Mark::Ours);
}

#[tokio::test]
async fn a_strangers_hand_leaves_a_mark_alone_and_its_owner_frees_it() {
    let redis = Redis::start();
    let clock = clock();
    let (one, two) = (redis.replica(&clock), redis.replica(&clock));
    one.mark("k", "ada", TTL).await;
    two.release("k", "bob").await;
    two.keep("k", "bob", DAY).await;
    // What bob says is noted where he said it, and nowhere else: his own replica knows no better.
    two.done("k2", "bob", "2".to_owned(), DAY).await;
    one.done("k2", "ada", "1".to_owned(), DAY).await;
    let three = redis.replica(&clock);
    assert_eq!(three.mark("k", "cyd", TTL).await, Mark::Running);
    assert_eq!(three.mark("k2", "cyd", TTL).await, Mark::Done("2".to_owned()));
    one.release("k", "ada").await;
    assert_eq!(three.mark("k", "cyd", TTL).await, Mark::Ours);
    clock.advance(TTL);
    assert_eq!(one.mark("k", "ada", TTL).await, Mark::Ours);
}

#[tokio::test]
async fn marks_hold_in_this_process_while_redis_is_away() {
    let mut redis = Redis::start();
    let clock = clock();
    let replica = redis.replica(&clock);
    redis.kill();
    assert_eq!(replica.mark("k", "ada", TTL).await, Mark::Ours);
    assert_eq!(replica.mark("k", "bob", TTL).await, Mark::Running);
    redis.restart();
    clock.advance(PAUSE);
    assert_eq!(replica.mark("k", "bob", TTL).await, Mark::Running);
    replica.done("k", "ada", "42".to_owned(), DAY).await;
    assert_eq!(redis.replica(&clock).mark("k", "cyd", TTL).await, Mark::Done("42".to_owned()));
}

#[test]
fn a_url_that_is_none_is_refused_without_its_password() {
    for url in ["", "localhost", "http://localhost/", "redis://:hunter2@[::1/", "redis://:hunter2@localhost/nine"] {
        let failure = Counters::redis(url, Clock::System).err().expect(url);
        assert!(!format!("{failure} {failure:?}").contains("hunter2"), "{failure:?}");
    }
}
