//! Charging requests: counted in Redis for all replicas, or in this process without Redis and while it is away.

use metrics::Counter;
use shared_model::Timestamp;

use super::{
    class::{LimitClass, RateLimits},
    local_windows::LocalWindows,
    redis_windows::RedisWindows,
    refused::Refused,
    replica_share::ReplicaShare,
    window::{Window, minute},
};
use crate::{
    base::{
        clock::Clock,
        metrics::{Metric, Metrics},
    },
    state::redis_link::RedisLink,
};

const REFUSED: Metric = Metric { name: "rate_limited_total", help: "Requests beyond a limit (429), by limit." };

/// The rate limiter of one service.
pub struct RateLimiter {
    surface: &'static str,
    limits: RateLimits,
    clock: Clock,
    local: LocalWindows,
    redis: Option<RedisWindows>,
    share: ReplicaShare,
    refused: Refused,
    /// By the names of classes.
    refusals: Vec<(&'static str, Counter)>,
}

impl RateLimiter {
    /// A limiter for the service of this name. Without `redis` each process counts for itself.
    pub fn new(surface: &'static str, limits: RateLimits, clock: Clock, redis: Option<RedisLink>) -> Self {
        Self {
            surface,
            limits,
            clock,
            local: LocalWindows::default(),
            redis: redis.map(RedisWindows::new),
            share: ReplicaShare::default(),
            refused: Refused::default(),
            refusals: Vec::new(),
        }
    }

    /// With a counter of the refusals of each of these classes.
    pub fn measured(mut self, classes: &[&'static LimitClass], metrics: &Metrics) -> Self {
        let counter = |class: &&'static LimitClass| (class.name, metrics.counter(&REFUSED, &[("limit", class.name)]));
        self.refusals = classes.iter().map(counter).collect();
        self
    }

    /// Requests a minute in this class.
    pub fn limit(&self, class: &LimitClass) -> u32 {
        self.limits.of(class)
    }

    /// Charges one request of `subject` to `class`.
    pub async fn charge(&self, class: &LimitClass, subject: &str) -> Window {
        let now = self.clock.now();
        let count = self.count(&format!("{}:{}:{subject}", self.surface, class.name), now).await;
        let window = Window::after(count, class, self.limit(class), now);
        if window.exhausted {
            self.note_refusal(class, subject, now);
        }
        window
    }

    fn note_refusal(&self, class: &LimitClass, subject: &str, now: Timestamp) {
        self.refusals.iter().filter(|(name, _)| *name == class.name).for_each(|(_, counter)| counter.increment(1));
        if self.refused.is_worth_a_line(class.name, subject, minute(now)) {
            tracing::warn!(
                limit = class.name,
                subject,
                "many requests are beyond a limit: a client that ignores Retry-After, or a proxy that TRUSTED_PROXIES \
                 lacks"
            );
        }
    }

    /// The number of this request in its minute. Redis's count is exact among all replicas; this process remembers the
    /// highest that it has seen, and goes on from there while Redis is away: a request then counts for those that other
    /// replicas receive meanwhile.
    pub(super) async fn count(&self, key: &str, now: Timestamp) -> u64 {
        let minute = minute(now);
        if let Some(redis) = &self.redis
            && let Some(count) = redis.count(key, minute, || self.local.count(key, minute)).await
        {
            let before = self.local.raise(key, minute, count);
            self.share.learn(before, count);
            return count;
        }
        self.local.add(key, minute, self.share.weight())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shared_model::NextAction;

    use super::*;

    const READS: LimitClass = LimitClass { name: "read", per_minute: 3 };
    const BOUNDARY: i64 = 1_800_000_060;

    fn limiter(now: Timestamp) -> (RateLimiter, Clock) {
        let clock = Clock::at(now);
        (RateLimiter::new("locker", RateLimits::default(), clock.clone(), None), clock)
    }

    #[tokio::test]
    async fn the_last_request_leaves_none_the_next_is_refused_and_the_next_minute_is_fresh() {
        let (limiter, clock) = limiter(Timestamp::from_seconds(BOUNDARY - 12));
        for remaining in [2, 1, 0] {
            let window = limiter.charge(&READS, "grant").await;
            assert_eq!((window.remaining, window.exhausted, window.reset), (remaining, false, BOUNDARY));
        }
        let window = limiter.charge(&READS, "grant").await;
        assert_eq!((window.remaining, window.exhausted), (0, true));

        clock.advance(Duration::from_secs(12));
        let window = limiter.charge(&READS, "grant").await;
        assert_eq!((window.remaining, window.exhausted, window.reset), (2, false, BOUNDARY + 60));
    }

    #[tokio::test]
    async fn the_wait_is_never_nothing_and_never_more_than_a_minute() {
        for (timestamp, wait) in [
            (Timestamp::from_seconds(BOUNDARY), 60),
            (Timestamp::from_seconds(BOUNDARY).minus(Duration::from_micros(1)), 1),
            (Timestamp::from_seconds(BOUNDARY - 1), 1),
        ] {
            let window = limiter(timestamp).0.charge(&READS, "grant").await;
            assert_eq!(window.after_seconds, wait, "{timestamp}");
        }
    }

    #[tokio::test]
    async fn headers_and_refusal_tell_the_same() {
        let window = limiter(Timestamp::from_seconds(BOUNDARY - 12)).0.charge(&READS, "grant").await;
        let headers = window.headers().map(|(name, value)| format!("{name}: {value}"));
        assert_eq!(
            headers,
            [
                "x-ratelimit-limit: 3",
                "x-ratelimit-remaining: 2",
                "x-ratelimit-reset: 1800000060",
                "ratelimit: \"read\";r=2;t=12",
                "ratelimit-policy: \"read\";q=3;w=60",
            ]
        );
        let refusal = window.refusal();
        assert_eq!(refusal.code.status, 429);
        assert_eq!(refusal.next, Some(NextAction::Wait { after_seconds: 12 }));
        assert!(refusal.headers.contains(&("retry-after", "12".into())), "{:?}", refusal.headers);
    }
}
