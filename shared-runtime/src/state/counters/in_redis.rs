//! Counters and marks in Redis, shared by all replicas, with this process's own beside them, always warm.

use std::time::Duration;

use redis::{Script, ScriptInvocation};
use shared_model::Failure;

use super::{Mark, in_process::InProcess, link::Link, marks::OUTCOME_BYTES};
use crate::base::clock::Clock;

/// Counters and marks in Redis.
pub struct InRedis {
    clock: Clock,
    local: InProcess,
    link: Link,
    count: Script,
    mark: Script,
    keep: Script,
    done: Script,
    release: Script,
}

/// Counts one more, and at least one more than this process has seen (`ARGV[1]`): a Redis that was flushed, or was away
/// while this process counted alone, learns the level back. The expiry is relative: with an instant, one replica whose
/// clock is wrong would delete the window of all.
const COUNT: &str = r"
local count = redis.call('INCR', KEYS[1])
local seen = tonumber(ARGV[1])
if count <= seen then
    count = redis.call('INCRBY', KEYS[1], seen + 1 - count)
end
redis.call('EXPIRE', KEYS[1], 90)
return count";

/// `ARGV`: owner, now, expiry (both in ms), milliseconds to live. The expiry is kept beside the owner because it is the
/// services' clock that decides; Redis's own expiry only clears away.
const MARK: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome', 'expires')
if held[1] and tonumber(held[3]) > tonumber(ARGV[2]) then
    if held[2] then return {'done', held[2]} end
    if held[1] ~= ARGV[1] then return {'running', ''} end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expires', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'ours', ''}";

/// `ARGV` as in [`MARK`].
const KEEP: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome', 'expires')
if held[1] == ARGV[1] and not held[2] and tonumber(held[3]) > tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[1], 'expires', ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
end";

/// `ARGV` as in [`MARK`], and the outcome.
const DONE: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome', 'expires')
if held[1] and tonumber(held[3]) > tonumber(ARGV[2]) and (held[2] or held[1] ~= ARGV[1]) then
    return
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'outcome', ARGV[5], 'expires', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])";

/// `ARGV`: owner.
const RELEASE: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome')
if held[1] == ARGV[1] and not held[2] then
    redis.call('DEL', KEYS[1])
end";

impl InRedis {
    pub(super) fn new(url: &str, patience: Duration, clock: Clock) -> Result<Self, Failure> {
        let [count, mark, keep, done, release] = [COUNT, MARK, KEEP, DONE, RELEASE].map(Script::new);
        let scripts = [&count, &mark, &keep, &done, &release].map(Script::clone).into();
        let link = Link::new(url, scripts, patience, clock.clone())?;
        Ok(Self { local: InProcess::new(clock.clone()), clock, link, count, mark, keep, done, release })
    }

    pub(super) fn is_away(&self) -> bool {
        self.link.is_away()
    }

    /// Redis's count is exact among all replicas; this process remembers the highest it has heard, and goes on from
    /// there while Redis is away.
    pub(super) async fn count(&self, key: &str, minute: i64) -> u64 {
        let call = || {
            let mut call = self.count.key(format!("fourfold:{{{key}}}:{minute}"));
            call.arg(self.local.windows.level(key, minute));
            call
        };
        match self.link.run(call).await {
            Some(count) => {
                self.local.windows.raise(key, minute, count);
                count
            }
            None => self.local.windows.add(key, minute),
        }
    }

    /// This process's mark comes first: what it knows needs no journey, and its own duplicates stay out even while Redis
    /// is away or coming back.
    pub(super) async fn mark(&self, key: &str, owner: &str, ttl: Duration) -> Mark {
        let here = self.local.marks.take(key, owner, ttl);
        if here != Mark::Ours {
            return here;
        }
        let there = match self.link.run::<(String, String)>(|| self.held(&self.mark, key, owner, ttl)).await {
            Some((word, outcome)) if word == "done" => Mark::Done(outcome),
            Some((word, _)) if word == "running" => Mark::Running,
            _ => return Mark::Ours,
        };
        self.local.marks.release(key, owner);
        there
    }

    pub(super) async fn keep(&self, key: &str, owner: &str, ttl: Duration) {
        self.local.marks.keep(key, owner, ttl);
        self.link.run::<()>(|| self.held(&self.keep, key, owner, ttl)).await;
    }

    pub(super) async fn done(&self, key: &str, owner: &str, outcome: String, ttl: Duration) {
        if outcome.len() > OUTCOME_BYTES {
            return self.release(key, owner).await;
        }
        self.local.marks.done(key, owner, outcome.clone(), ttl);
        let call = || {
            let mut call = self.held(&self.done, key, owner, ttl);
            call.arg(outcome);
            call
        };
        self.link.run::<()>(call).await;
    }

    pub(super) async fn release(&self, key: &str, owner: &str) {
        self.local.marks.release(key, owner);
        let call = || {
            let mut call = self.release.key(mark_key(key));
            call.arg(owner);
            call
        };
        self.link.run::<()>(call).await;
    }

    /// A call of one of the scripts that take an owner and a time to live.
    fn held<'a>(&self, script: &'a Script, key: &str, owner: &str, ttl: Duration) -> ScriptInvocation<'a> {
        let now = self.clock.now();
        let mut call = script.key(mark_key(key));
        // Redis refuses a life of no time at all.
        let ttl_ms = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX).max(1);
        call.arg(owner).arg(now.micros() / 1000).arg(now.plus(ttl).micros() / 1000).arg(ttl_ms);
        call
    }
}

/// The braces keep all keys of one subject in one slot of a cluster.
fn mark_key(key: &str) -> String {
    format!("fourfold:{{{key}}}:mark")
}
