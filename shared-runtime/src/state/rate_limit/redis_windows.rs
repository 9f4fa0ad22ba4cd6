//! Counts of one minute in Redis, shared by all replicas.

use redis::Script;

use crate::state::redis_link::RedisLink;

// `ARGV[1]` is the count that this process knows. The new count is above it, so a Redis that was flushed or away
// continues at the right level. The expiry is relative: with an absolute time, one replica with a wrong clock would
// delete the counters of all.
const COUNT: &str = r"
local count = redis.call('INCR', KEYS[1])
local seen = tonumber(ARGV[1])
if count <= seen then
    count = redis.call('INCRBY', KEYS[1], seen + 1 - count)
end
redis.call('EXPIRE', KEYS[1], 90)
return count";

pub struct RedisWindows {
    link: RedisLink,
    count: Script,
}

impl RedisWindows {
    pub fn new(link: RedisLink) -> Self {
        Self { link, count: Script::new(COUNT) }
    }

    /// Counts one request; returns the new count, or `None` when Redis is away. `seen` returns the count that this
    /// process knows. It is called once connected, because that count may rise while the request waits.
    pub async fn count(&self, key: &str, minute: i64, seen: impl FnOnce() -> u64) -> Option<u64> {
        let invocation = || {
            // The braces put all keys of one subject into one slot of a Redis cluster.
            let mut invocation = self.count.key(format!("fourfold:{{{key}}}:{minute}"));
            invocation.arg(seen());
            invocation
        };
        self.link.run(invocation).await
    }
}
