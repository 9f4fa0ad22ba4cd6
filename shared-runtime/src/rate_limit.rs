//! Fixed-minute rate limits (spec: Limits): who is charged, how much is left, and how every answer tells it.

use shared_model::NextAction;

use crate::{Desk, Refusal, code};

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
    /// Seconds until then, at least 1.
    pub after_seconds: u64,
    /// Whether this request is one too many.
    pub exhausted: bool,
}

/// Charges one request of `subject` to `class`.
pub async fn charge(desk: &Desk, class: &'static LimitClass, subject: &str) -> Window {
    let seconds = desk.clock.now().seconds();
    let minute = seconds.div_euclid(60);
    let limit = desk.rate_limits.of(class);
    let key = format!("{}:{}:{subject}", desk.surface.name, class.name);
    let count = desk.counters.count(&key, minute).await;
    let reset = (minute + 1) * 60;
    Window {
        class: class.name,
        limit,
        remaining: limit.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)),
        reset,
        after_seconds: u64::try_from(reset - seconds).unwrap_or(1).max(1),
        exhausted: count > u64::from(limit),
    }
}

impl Window {
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
