//! Counts of one minute in Redis, shared by all replicas.

use redis::Script;

use crate::state::redis_link::RedisLink;

/// Counts one more, and at least one more than this process has seen (`ARGV[1]`): a Redis that was flushed, or was away
/// while this process counted alone, continues at the right level. The expiry is relative: with an instant, one replica
/// whose clock is wrong would delete the window of all.
const COUNT: &str = r"
local count = redis.call('INCR', KEYS[1])
local seen = tonumber(ARGV[1])
if count <= seen then
    count = redis.call('INCRBY', KEYS[1], seen + 1 - count)
end
redis.call('EXPIRE', KEYS[1], 90)
return count";

/// The counts in one Redis.
pub struct RedisWindows {
    link: RedisLink,
    count: Script,
}

impl RedisWindows {
    pub fn new(link: RedisLink) -> Self {
        Self { link, count: Script::new(COUNT) }
    }

    /// Counts one more request; the count after it, or `None` when Redis is away. `seen` is the count that this process
    /// knows of, asked for after the connection is there.
    pub async fn count(&self, key: &str, minute: i64, seen: impl FnOnce() -> u64) -> Option<u64> {
        let invocation = || {
            // The braces keep all keys of one subject in one slot of a cluster.
            let mut invocation = self.count.key(format!("fourfold:{{{key}}}:{minute}"));
            invocation.arg(seen());
            invocation
        };
        self.link.run(invocation).await
    }
}
