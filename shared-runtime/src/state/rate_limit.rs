//! Fixed-minute rate limits (spec: Limits): who is charged, how much is left, and how every answer tells it.

use shared_model::{NextAction, Refusal, Timestamp, code};

use crate::{context::Context, state::counters::Counters};

/// One bucket of requests for each subject and UTC minute.
#[derive(Debug, PartialEq, Eq)]
pub struct LimitClass {
    /// Its name in settings, headers and counters.
    pub name: &'static str,
    /// Requests in a minute, unless the settings say otherwise.
    pub per_minute: u32,
    /// Who is charged.
    pub by: By,
}

/// Who is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The grant of the access token.
    Grant,
    /// The source address: IPv4, or an IPv6 /64.
    Address,
    /// Whoever signed the body.
    Signer,
}

/// Limits in force: the classes' own, but for what the settings override.
#[derive(Clone, Debug, Default)]
pub struct RateLimits(pub Vec<(String, u32)>);

impl RateLimits {
    /// Requests a minute in this class.
    pub fn of(&self, class: &LimitClass) -> u32 {
        self.0.iter().find(|(name, _)| name == class.name).map_or(class.per_minute, |(_, limit)| *limit)
    }
}

/// Where a subject stands in its bucket after being charged.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The bucket's name.
    pub class: &'static str,
    /// Requests a minute.
    pub limit: u32,
    /// Requests left after this one.
    pub remaining: u32,
    /// Unix seconds of the next minute boundary.
    pub reset: i64,
    /// Seconds until then: 1 to 60.
    pub after_seconds: u64,
    /// Whether this request is one too many.
    pub exhausted: bool,
}

/// Charges one request of `subject` to `class`.
pub async fn charge(context: &Context, class: &'static LimitClass, subject: &str) -> Window {
    let key = format!("{}:{}:{subject}", context.surface.name, class.name);
    Window::charge(&context.counters, &key, class, context.rate_limits.of(class), context.clock.now()).await
}

impl Window {
    async fn charge(counters: &Counters, key: &str, class: &'static LimitClass, limit: u32, now: Timestamp) -> Self {
        let seconds = now.seconds();
        let minute = seconds.div_euclid(60);
        let reset = (minute + 1) * 60;
        let count = counters.count(key, minute).await;
        Self {
            class: class.name,
            limit,
            remaining: limit.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)),
            reset,
            after_seconds: reset.abs_diff(seconds),
            exhausted: count > u64::from(limit),
        }
    }

    /// 429 with when to come back.
    pub fn refusal(&self) -> Refusal {
        code::RATE_LIMITED
            .because(format!("The limit of {} requests a minute ({}) is used up.", self.limit, self.class))
            .next(NextAction::Wait { after_seconds: self.after_seconds })
            .header("retry-after", self.after_seconds.to_string())
    }

    /// The headers of every answer that was charged: the spec's, and the IETF pair
    /// (draft-ietf-httpapi-ratelimit-headers).
    pub fn headers(&self) -> [(&'static str, String); 5] {
        let Self { class, limit, remaining, reset, after_seconds, .. } = self;
        [
            ("x-ratelimit-limit", limit.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset", reset.to_string()),
            ("ratelimit", format!("\"{class}\";r={remaining};t={after_seconds}")),
            ("ratelimit-policy", format!("\"{class}\";q={limit};w=60")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::base::clock::Clock;

    const READS: LimitClass = LimitClass { name: "read", per_minute: 3, by: By::Grant };
    const BOUNDARY: i64 = 1_800_000_060;

    async fn charge(counters: &Counters, clock: &Clock) -> Window {
        Window::charge(counters, "locker:read:grant", &READS, READS.per_minute, clock.now()).await
    }

    #[tokio::test]
    async fn the_last_request_leaves_none_the_next_is_refused_and_the_next_minute_is_fresh() {
        let clock = Clock::at(Timestamp::from_seconds(BOUNDARY - 12));
        let counters = Counters::local(clock.clone());
        for remaining in [2, 1, 0] {
            let window = charge(&counters, &clock).await;
            assert_eq!((window.remaining, window.exhausted, window.reset), (remaining, false, BOUNDARY));
        }
        let window = charge(&counters, &clock).await;
        assert_eq!((window.remaining, window.exhausted), (0, true));

        clock.advance(Duration::from_secs(12));
        let window = charge(&counters, &clock).await;
        assert_eq!((window.remaining, window.exhausted, window.reset), (2, false, BOUNDARY + 60));
    }

    #[tokio::test]
    async fn the_wait_is_never_nothing_and_never_more_than_a_minute() {
        for (timestamp, wait) in [
            (Timestamp::from_seconds(BOUNDARY), 60),
            (Timestamp::from_seconds(BOUNDARY).minus(Duration::from_micros(1)), 1),
            (Timestamp::from_seconds(BOUNDARY - 1), 1),
        ] {
            let clock = Clock::at(timestamp);
            let window = charge(&Counters::local(clock.clone()), &clock).await;
            assert_eq!(window.after_seconds, wait, "{timestamp}");
        }
    }

    #[tokio::test]
    async fn headers_and_refusal_tell_the_same() {
        let clock = Clock::at(Timestamp::from_seconds(BOUNDARY - 12));
        let window = charge(&Counters::local(clock.clone()), &clock).await;
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

    #[test]
    fn settings_override_a_class_by_its_name() {
        let limits = RateLimits(vec![("read".to_owned(), 600)]);
        assert_eq!(limits.of(&READS), 600);
        assert_eq!(RateLimits::default().of(&READS), 3);
    }
}
