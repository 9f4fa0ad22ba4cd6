//! In-flight locks in Redis, shared by all replicas. While Redis is away every lock here is free.

use std::time::Duration;

use redis::{Script, ScriptInvocation};

use super::lock_outcome::LockOutcome;
use crate::{base::clock::Clock, state::redis_link::RedisLink};

// `ARGV`: owner, now, expiry (both in ms), time to live in ms. The services' clock decides about expiry, so the value
// stores it; Redis's own expiry only frees memory. One script per operation, because check and change must be one step.
const ACQUIRE: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'done', 'expires')
if held[1] and tonumber(held[3]) > tonumber(ARGV[2]) then
    if held[2] then return 'done' end
    if held[1] ~= ARGV[1] then return 'running' end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'expires', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'acquired'";

// `ARGV`: now in ms.
const IS_RUNNING: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'done', 'expires')
if held[1] and not held[2] and tonumber(held[3]) > tonumber(ARGV[1]) then return 1 end
return 0";

// `ARGV` as in [`ACQUIRE`].
const EXTEND: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'done', 'expires')
if held[1] == ARGV[1] and not held[2] and tonumber(held[3]) > tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[1], 'expires', ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
end";

// `ARGV` as in [`ACQUIRE`].
const COMPLETE: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'done', 'expires')
if held[1] and tonumber(held[3]) > tonumber(ARGV[2]) and (held[2] or held[1] ~= ARGV[1]) then
    return
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'done', '1', 'expires', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])";

// `ARGV`: owner.
const RELEASE: &str = r"
local held = redis.call('HMGET', KEYS[1], 'owner', 'done')
if held[1] == ARGV[1] and not held[2] then
    redis.call('DEL', KEYS[1])
end";

pub struct RedisLocks {
    link: RedisLink,
    clock: Clock,
    acquire: Script,
    is_running: Script,
    extend: Script,
    complete: Script,
    release: Script,
}

impl RedisLocks {
    pub fn new(link: RedisLink, clock: Clock) -> Self {
        let [acquire, is_running, extend, complete, release] =
            [ACQUIRE, IS_RUNNING, EXTEND, COMPLETE, RELEASE].map(Script::new);
        Self { link, clock, acquire, is_running, extend, complete, release }
    }

    pub async fn acquire(&self, key: &str, owner: &str, ttl: Duration) -> LockOutcome {
        match self.link.run::<String>(|| self.owned(&self.acquire, key, owner, ttl)).await.as_deref() {
            Some("done") => LockOutcome::Done,
            Some("running") => LockOutcome::Running,
            _ => LockOutcome::Acquired,
        }
    }

    pub async fn is_running(&self, key: &str) -> bool {
        let now = self.clock.now().micros() / 1000;
        self.link.run(|| invocation(&self.is_running, key, &now.to_string())).await.unwrap_or(false)
    }

    pub async fn extend(&self, key: &str, owner: &str, ttl: Duration) {
        self.link.run::<()>(|| self.owned(&self.extend, key, owner, ttl)).await;
    }

    pub async fn complete(&self, key: &str, owner: &str, ttl: Duration) {
        self.link.run::<()>(|| self.owned(&self.complete, key, owner, ttl)).await;
    }

    pub async fn release(&self, key: &str, owner: &str) {
        self.link.run::<()>(|| invocation(&self.release, key, owner)).await;
    }

    fn owned<'a>(&self, script: &'a Script, key: &str, owner: &str, ttl: Duration) -> ScriptInvocation<'a> {
        let now = self.clock.now();
        // Redis refuses an expiry of 0.
        let ttl_ms = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX).max(1);
        let mut invocation = invocation(script, key, owner);
        invocation.arg(now.micros() / 1000).arg(now.plus(ttl).micros() / 1000).arg(ttl_ms);
        invocation
    }
}

fn invocation<'a>(script: &'a Script, key: &str, argument: &str) -> ScriptInvocation<'a> {
    // The braces put all keys of one command into one slot of a Redis cluster.
    let mut invocation = script.key(format!("fourfold:{{{key}}}:in_flight"));
    invocation.arg(argument);
    invocation
}
