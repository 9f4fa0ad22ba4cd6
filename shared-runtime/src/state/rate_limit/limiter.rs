//! Charges requests. Redis counts for all replicas; without Redis, and while it is away, this process counts alone.

use metrics::Counter;
use shared_model::Timestamp;

use super::{
    class::{LimitClass, RateLimits},
    local_windows::LocalWindows,
    redis_windows::RedisWindows,
    refusal_counts::RefusalCounts,
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

pub const REFUSED: Metric = Metric::counter(
    "rate_limited_total",
    &["limit"],
    "Requests that exceeded a limit (429). The log names a subject that is refused often.",
);

pub struct RateLimiter {
    service: &'static str,
    limits: RateLimits,
    clock: Clock,
    local: LocalWindows,
    redis: Option<RedisWindows>,
    share: ReplicaShare,
    refusal_counts: RefusalCounts,
    /// By the names of classes.
    refusals: Vec<(&'static str, Counter)>,
}

impl RateLimiter {
    /// `service` is its name, the first part of each key. Without `redis` each process counts for itself.
    pub fn new(service: &'static str, limits: RateLimits, clock: Clock, redis: Option<RedisLink>) -> Self {
        Self {
            service,
            limits,
            clock,
            local: LocalWindows::default(),
            redis: redis.map(RedisWindows::new),
            share: ReplicaShare::default(),
            refusal_counts: RefusalCounts::default(),
            refusals: Vec::new(),
        }
    }

    pub fn measured(mut self, classes: &[&'static LimitClass], metrics: &Metrics) -> Self {
        let counter = |class: &&'static LimitClass| (class.name, metrics.counter(&REFUSED, &[("limit", class.name)]));
        self.refusals = classes.iter().map(counter).collect();
        self
    }

    pub fn limit(&self, class: &LimitClass) -> u32 {
        self.limits.limit_for(class)
    }

    pub async fn charge(&self, class: &LimitClass, subject: &str) -> Window {
        let now = self.clock.now();
        let count = self.count(&format!("{}:{}:{subject}", self.service, class.name), now).await;
        let window = Window::after(count, class, self.limit(class), now);
        if window.exhausted {
            self.note_refusal(class, subject, now);
        }
        window
    }

    fn note_refusal(&self, class: &LimitClass, subject: &str, now: Timestamp) {
        self.refusals.iter().filter(|(name, _)| *name == class.name).for_each(|(_, counter)| counter.increment(1));
        if self.refusal_counts.should_log(class.name, subject, minute(now)) {
            tracing::warn!(
                limit = class.name,
                subject,
                "many requests exceed a limit: a client ignores Retry-After, or TRUSTED_PROXIES lacks a proxy"
            );
        }
    }

    /// The number of this request in its minute.
    pub(super) async fn count(&self, key: &str, now: Timestamp) -> u64 {
        let minute = minute(now);
        if let Some(redis) = &self.redis
            && let Some(count) = redis.count(key, minute, || self.local.count(key, minute)).await
        {
            // Remember the highest count seen. When Redis goes away, this process continues from there.
            let before = self.local.raise(key, minute, count);
            self.share.learn(before, count);
            return count;
        }
        // Without Redis, a request also stands for those that other replicas receive meanwhile.
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
        let headers = window.headers().map(|(name, value)| format!("{name}: {}", value.to_str().expect("text")));
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
