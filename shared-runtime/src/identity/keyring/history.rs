//! What the fetches of the issuer's keys have brought so far, and when the next one may begin.

use std::{collections::HashMap, time::Duration};

use shared_model::{Failure, Timestamp};

use crate::identity::{asking::Unasked, settings::JwksSource};

/// The span in which at most [`BURST`] fetches succeed.
pub(super) const COOLDOWN: Duration = Duration::from_secs(30);
pub(super) const BURST: usize = 2;
/// The pause after a fetch that failed.
pub(super) const RETRY: Duration = Duration::from_secs(1);
/// Key ids remembered as refused. Few can be: only those whose tokens waited for a fetch that succeeded.
const MAX_REFUSED: usize = 256;

/// The fetches so far.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The number of the last fetch that began; numbers rise by one.
    pub(super) begun: u64,
    /// Whether it is under way.
    pub(super) under_way: bool,
    /// Whether the last fetch that ended brought keys.
    pub(super) succeeded: bool,
    /// Fetches that failed since the last that succeeded.
    pub(super) failures: u32,
    /// When the last fetch that failed began.
    pub(super) failed_at: Option<Timestamp>,
    /// When the last fetches that succeeded began, the latest last.
    pub(super) succeeded_at: Vec<Timestamp>,
    /// Key ids that the issuer does not have, each with when a fetch has shown it.
    pub(super) refused: HashMap<String, Timestamp>,
    /// Since when the keys cannot be fetched, and why, as it is in the log.
    pub(super) outage: Option<(Timestamp, String)>,
}

impl History {
    pub(super) fn begin(&mut self) {
        self.begun += 1;
        self.under_way = true;
        // A fetch that is cut off has brought nothing.
        self.succeeded = false;
    }

    pub(super) fn note_success(&mut self, at: Timestamp) {
        self.succeeded = true;
        self.failures = 0;
        self.failed_at = None;
        self.succeeded_at.push(at);
        let surplus = self.succeeded_at.len().saturating_sub(BURST);
        self.succeeded_at.drain(..surplus);
        if let Some((since, _)) = self.outage.take() {
            let seconds = (at.micros() - since.micros()) / 1_000_000;
            tracing::info!(seconds, "the issuer's keys can be fetched again");
        }
    }

    /// `until` is when the keys that are known end, if any are.
    pub(super) fn note_failure(
        &mut self,
        at: Timestamp,
        error: Unasked,
        source: &JwksSource,
        until: Option<Timestamp>,
    ) {
        self.succeeded = false;
        self.failures = self.failures.saturating_add(1);
        self.failed_at = Some(at);
        if self.outage.is_some() {
            return;
        }
        let cause = Failure::unavailable("fetching the issuer's keys").from_source(error).to_string();
        match until {
            Some(until) => {
                tracing::warn!(
                    jwks = %source,
                    cause,
                    %until,
                    "the issuer's keys cannot be fetched; those that are known are in use until then"
                );
            }
            None => {
                tracing::warn!(
                    jwks = %source,
                    cause,
                    "the issuer's keys cannot be fetched, and none are known: every token is answered 503"
                );
            }
        }
        self.outage = Some((at, cause));
    }

    /// The pause of the background refresh after fetches that failed: 1 s, doubled each time, up to a minute.
    pub(super) fn backoff(&self) -> Duration {
        RETRY * 2_u32.pow(self.failures.saturating_sub(1).min(6)).min(60)
    }

    /// Seconds until the next fetch may begin; `None` when it may begin now.
    pub(super) fn pause(&self, now: Timestamp, cooldown: Duration) -> Option<u64> {
        let failed = self.failed_at.map(|at| (at, RETRY));
        let exhausted = (self.succeeded_at.len() == BURST).then(|| (self.succeeded_at[0], cooldown));
        [failed, exhausted].into_iter().flatten().filter_map(|(since, span)| seconds_left(since, span, now)).max()
    }

    pub(super) fn has_refused(&self, kid: &str, now: Timestamp) -> bool {
        self.refused.get(kid).is_some_and(|at| seconds_left(*at, COOLDOWN, now).is_some())
    }

    pub(super) fn refuse(&mut self, kid: &str, now: Timestamp) {
        self.refused.retain(|_, at| seconds_left(*at, COOLDOWN, now).is_some());
        if self.refused.len() < MAX_REFUSED {
            self.refused.entry(kid.to_owned()).or_insert(now);
        }
    }
}

/// Whole seconds, at least 1, until `span` has passed; `None` when it has, or when the clock was set back before
/// `since`.
fn seconds_left(since: Timestamp, span: Duration, now: Timestamp) -> Option<u64> {
    let until = since.plus(span);
    (since <= now && now < until).then(|| (until.micros() - now.micros()).unsigned_abs().div_ceil(1_000_000))
}
