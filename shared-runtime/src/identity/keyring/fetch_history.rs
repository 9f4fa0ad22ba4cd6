//! The fetches of the issuer's keys so far, and when the next one may begin.

use std::{collections::HashMap, time::Duration};

use shared_model::{Failure, Timestamp};

use crate::identity::{issuer_client::Unreachable, settings::JwksSource};

/// At most [`MAX_FETCHES`] fetches succeed within this span.
pub(super) const COOLDOWN: Duration = Duration::from_secs(30);
pub(super) const MAX_FETCHES: usize = 2;
/// The pause after a failed fetch.
pub(super) const RETRY: Duration = Duration::from_secs(1);
// Garbage cannot fill it: an id is stored only after a fetch that succeeded, and those are limited.
const MAX_REFUSED: usize = 256;

#[derive(Debug, Default)]
pub(super) struct FetchHistory {
    /// The number of the last fetch that began. Numbers rise by one.
    pub(super) begun: u64,
    pub(super) under_way: bool,
    /// Whether the last fetch that ended brought keys.
    pub(super) succeeded: bool,
    pub(super) failures: u32,
    pub(super) failed_at: Option<Timestamp>,
    /// When the last successful fetches began, the latest last.
    pub(super) succeeded_at: Vec<Timestamp>,
    /// Key ids that the issuer does not have, with the time of the fetch that showed it.
    pub(super) refused: HashMap<String, Timestamp>,
    /// Since when and why the keys cannot be fetched, as it was logged.
    pub(super) outage: Option<(Timestamp, String)>,
}

impl FetchHistory {
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
        let surplus = self.succeeded_at.len().saturating_sub(MAX_FETCHES);
        self.succeeded_at.drain(..surplus);
        if let Some((since, _)) = self.outage.take() {
            let seconds = (at.micros() - since.micros()) / 1_000_000;
            tracing::info!(seconds, "the issuer's keys can be fetched again");
        }
    }

    /// `until` is when the known keys expire.
    pub(super) fn note_failure(
        &mut self,
        at: Timestamp,
        error: Unreachable,
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
                    "the issuer's keys cannot be fetched; the known keys are used until then"
                );
            }
            None => {
                tracing::warn!(
                    jwks = %source,
                    cause,
                    "the issuer's keys cannot be fetched, and none are known: every request with a token is answered 503"
                );
            }
        }
        self.outage = Some((at, cause));
    }

    /// The pause of the background refresh after failures: 1 s, doubled each time, at most a minute.
    pub(super) fn backoff(&self) -> Duration {
        RETRY * 2_u32.pow(self.failures.saturating_sub(1).min(6)).min(60)
    }

    /// Seconds until the next fetch may begin; `None` when it may begin now.
    pub(super) fn pause(&self, now: Timestamp, cooldown: Duration) -> Option<u64> {
        let failed = self.failed_at.map(|at| (at, RETRY));
        let exhausted = (self.succeeded_at.len() == MAX_FETCHES).then(|| (self.succeeded_at[0], cooldown));
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

// Whole seconds, at least 1, until `span` has passed. `None` when it has passed, or when the clock was set back before
// `since`.
fn seconds_left(since: Timestamp, span: Duration, now: Timestamp) -> Option<u64> {
    let until = since.plus(span);
    (since <= now && now < until).then(|| (until.micros() - now.micros()).unsigned_abs().div_ceil(1_000_000))
}
