//! The state of a subject's minute, as headers and as a refusal.

use actix_web::http::header::{HeaderName, HeaderValue};
use shared_model::{NextAction, Refusal, Timestamp, code};

use super::class::LimitClass;

/// A subject's minute in one class, after a request was charged.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub class: &'static str,
    pub limit: u32,
    pub remaining: u32,
    /// Unix seconds of the next minute boundary.
    pub reset: i64,
    /// Seconds until then: 1 to 60.
    pub after_seconds: u64,
    /// True when this request exceeded the limit.
    pub exhausted: bool,
}

impl Window {
    /// `count` includes this request.
    pub(super) fn after(count: u64, class: &LimitClass, limit: u32, now: Timestamp) -> Self {
        let reset = (minute(now) + 1) * 60;
        Self {
            class: class.name,
            limit,
            remaining: limit.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX)),
            reset,
            after_seconds: reset.abs_diff(now.seconds()),
            exhausted: count > u64::from(limit),
        }
    }

    /// 429 with `Retry-After`.
    pub fn refusal(&self) -> Refusal {
        code::RATE_LIMITED
            .because(format!(
                "The limit of {} requests a minute ({}) is used up; wait {} seconds.",
                self.limit, self.class, self.after_seconds
            ))
            .next(NextAction::Wait { after_seconds: self.after_seconds })
            .header("retry-after", self.after_seconds.to_string())
    }

    /// Headers of every charged answer: the widespread `X-RateLimit-*`, and the IETF pair
    /// (draft-ietf-httpapi-ratelimit-headers).
    pub fn headers(&self) -> [(HeaderName, HeaderValue); 5] {
        let Self { class, limit, remaining, reset, after_seconds, .. } = *self;
        [
            (HeaderName::from_static("x-ratelimit-limit"), limit.into()),
            (HeaderName::from_static("x-ratelimit-remaining"), remaining.into()),
            (HeaderName::from_static("x-ratelimit-reset"), reset.into()),
            (HeaderName::from_static("ratelimit"), text(format!("\"{class}\";r={remaining};t={after_seconds}"))),
            (HeaderName::from_static("ratelimit-policy"), text(format!("\"{class}\";q={limit};w=60"))),
        ]
    }
}

fn text(value: String) -> HeaderValue {
    HeaderValue::try_from(value).expect("the names of classes are visible ASCII")
}

/// Minutes since the Unix epoch.
pub(super) fn minute(now: Timestamp) -> i64 {
    now.seconds().div_euclid(60)
}
