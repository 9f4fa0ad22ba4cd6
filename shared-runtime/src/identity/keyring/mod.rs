//! The issuer's keys in use. They are refreshed in the background, survive failed refreshes, and are fetched again when
//! a token names an unknown key.
//!
//! **An unknown key id** means that the issuer has rotated its keys, or that somebody sends garbage. The two look
//! alike. The token waits for a fetch that *begins after its arrival*; all such tokens wait for the same one. After a
//! success, the key is there, or its id is refused (401), and stays refused for [`COOLDOWN`]. At most [`MAX_FETCHES`]
//! fetches succeed within a [`COOLDOWN`] (a file may be read every second). After that, an unknown id gets a 503 with
//! the time to wait, because we cannot know. So garbage can delay the first token of a new key, but no good token is
//! refused. After a failed fetch the answer is 503 too; the keys stay, and the next fetch may begin after [`RETRY`].

mod fetch_history;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use arc_swap::ArcSwapOption;
use jsonwebtoken::Algorithm;
use shared_model::Timestamp;
use tokio::sync::watch;

use fetch_history::{COOLDOWN, FetchHistory, RETRY};

use super::{
    issuer_client::Unreachable,
    jwks::Jwks,
    keys::{Key, KeyLookup, KeySet},
    settings::JwksSource,
};
use crate::base::clock::Clock;

// Older keys are fetched again.
const REFRESH_AGE: Duration = Duration::from_secs(5 * 60);
// Older keys are not trusted.
const MAX_KEY_AGE: Duration = Duration::from_secs(6 * 3600);

#[derive(Debug)]
pub struct Keyring {
    jwks: Jwks,
    published: ArcSwapOption<CachedKeySet>,
    history: Mutex<FetchHistory>,
    ended: watch::Sender<u64>,
}

#[derive(Debug)]
struct CachedKeySet {
    keys: KeySet,
    at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The issuer has no key of this id and algorithm: 401.
    Refused,
    /// It is not known: 503.
    Unavailable {
        /// Seconds until it may be known.
        after_seconds: u64,
    },
}

impl Keyring {
    pub fn new(source: JwksSource) -> Arc<Self> {
        Arc::new(Self {
            jwks: Jwks::at(source),
            published: ArcSwapOption::empty(),
            history: Mutex::default(),
            ended: watch::Sender::new(0),
        })
    }

    /// True when this very key is in the set and the set is fresh enough.
    pub fn has(&self, key: &Arc<Key>, now: Timestamp) -> bool {
        self.published.load().as_ref().is_some_and(|published| published.is_fresh(now) && published.keys.holds(key))
    }

    /// Finds a key by id and algorithm; waits for a fetch when it is unknown.
    pub async fn key(self: &Arc<Self>, clock: &Clock, kid: &str, algorithm: Algorithm) -> Result<Arc<Key>, KeyError> {
        let came = self.history().begun;
        if let Some(answer) = self.cached_answer(clock.now(), kid, algorithm) {
            return answer;
        }
        let fetched =
            self.wait_for_fetch_after(clock, came, || self.cached_answer(clock.now(), kid, algorithm).is_some()).await;
        // Even a fetch that began too early to refuse the id may have brought the key.
        match (self.find(clock.now(), kid, algorithm), fetched) {
            (Some(KeyLookup::Found(key)), _) => Ok(key),
            (Some(KeyLookup::OtherAlgorithm), _) => Err(KeyError::Refused),
            (Some(KeyLookup::NotFound), Ok(())) => {
                self.history().refuse(kid, clock.now());
                Err(KeyError::Refused)
            }
            (_, Err(after_seconds)) => Err(KeyError::Unavailable { after_seconds }),
            (None, Ok(())) => Err(KeyError::Unavailable { after_seconds: RETRY.as_secs() }),
        }
    }

    pub fn cached_key(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<Arc<Key>> {
        match self.find(now, kid, algorithm)? {
            KeyLookup::Found(key) => Some(key),
            KeyLookup::OtherAlgorithm | KeyLookup::NotFound => None,
        }
    }

    pub fn age(&self, now: Timestamp) -> Option<Duration> {
        self.published.load().as_ref().map(|published| published.age(now))
    }

    /// Why the keys cannot be fetched, after a failure.
    pub fn outage(&self) -> Option<String> {
        self.history().outage.as_ref().map(|(_, cause)| cause.clone())
    }

    pub async fn refresh(ring: Weak<Self>, clock: Clock) {
        loop {
            let Some(held) = ring.upgrade() else { return };
            let pause = held.refresh_if_due(&clock).await;
            drop(held);
            tokio::time::sleep(pause).await;
        }
    }

    async fn refresh_if_due(self: &Arc<Self>, clock: &Clock) -> Duration {
        let is_due = || self.is_outdated(clock.now()) || self.jwks.has_changed();
        if is_due() {
            let came = self.history().begun;
            // The result is logged. Here it only decides when to try again.
            let _ = self.wait_for_fetch_after(clock, came, || !is_due()).await;
        }
        let now = clock.now();
        let due = match self.age(now) {
            None => self.history().backoff(),
            Some(_) if self.is_outdated(now) => self.history().backoff().max(10 * RETRY),
            // With jitter, so that replicas do not fetch at the same time.
            Some(age) => REFRESH_AGE.saturating_sub(age).mul_f64(1.0 + 0.1 * rand::random::<f64>()),
        };
        self.jwks.watch_interval().map_or(due, |interval| due.min(interval))
    }

    /// There are no keys, or others may have been published since.
    fn is_outdated(&self, now: Timestamp) -> bool {
        let published = self.published.load();
        // After a clock was ahead, the age would stay 0 until the time has come.
        published.as_ref().is_none_or(|published| published.at > now || published.age(now) >= REFRESH_AGE)
    }

    fn cached_answer(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<Result<Arc<Key>, KeyError>> {
        match self.find(now, kid, algorithm)? {
            KeyLookup::Found(key) => Some(Ok(key)),
            KeyLookup::OtherAlgorithm => Some(Err(KeyError::Refused)),
            KeyLookup::NotFound => self.history().has_refused(kid, now).then_some(Err(KeyError::Refused)),
        }
    }

    fn find(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<KeyLookup> {
        let published = self.published.load();
        published.as_ref().filter(|published| published.is_fresh(now)).map(|it| it.keys.find(kid, algorithm))
    }

    // Waits for a fetch that began after the one numbered `came`, and begins it if necessary. Returns early when
    // `enough` is true. The error is the number of seconds to wait before asking again.
    async fn wait_for_fetch_after(
        self: &Arc<Self>,
        clock: &Clock,
        came: u64,
        enough: impl Fn() -> bool,
    ) -> Result<(), u64> {
        let mut ended = self.ended.subscribe();
        loop {
            if enough() {
                return Ok(());
            }
            let awaited = {
                let mut history = self.history();
                let last = *ended.borrow_and_update();
                if last > came {
                    return if history.succeeded { Ok(()) } else { Err(RETRY.as_secs()) };
                }
                if !history.under_way {
                    if let Some(seconds) = history.pause(clock.now(), self.jwks.cooldown().unwrap_or(COOLDOWN)) {
                        return Err(seconds);
                    }
                    history.begin();
                    // In its own task: a client that disconnects must not cancel the fetch for the others.
                    tokio::spawn(Arc::clone(self).fetch(clock.clone()));
                }
                history.begun
            };
            // We own the sender, so this cannot fail.
            let _ = ended.wait_for(|number| *number >= awaited).await;
        }
    }

    async fn fetch(self: Arc<Self>, clock: Clock) {
        let end = FetchEnd(&self);
        let at = clock.now();
        let outcome = self.fetch_keys().await;
        let mut history = self.history();
        match outcome {
            Ok(keys) => {
                history.note_success(at);
                self.published.store(Some(Arc::new(CachedKeySet { keys, at })));
            }
            Err(error) => {
                let published = self.published.load();
                let until = published.as_ref().filter(|it| it.is_fresh(at)).map(|it| it.at.plus(MAX_KEY_AGE));
                history.note_failure(at, error, self.jwks.source(), until);
            }
        }
        drop(history);
        drop(end);
    }

    async fn fetch_keys(&self) -> Result<KeySet, Unreachable> {
        let document = self.jwks.read().await?;
        let earlier = self.published.load();
        Ok(KeySet::parse(&document, earlier.as_ref().map(|published| &published.keys))?)
    }

    fn history(&self) -> MutexGuard<'_, FetchHistory> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// Also ends a fetch whose task is dropped with its runtime; otherwise all tokens would wait forever.
struct FetchEnd<'a>(&'a Keyring);

impl Drop for FetchEnd<'_> {
    fn drop(&mut self) {
        let number = {
            let mut history = self.0.history();
            history.under_way = false;
            history.begun
        };
        self.0.ended.send_replace(number);
    }
}

impl CachedKeySet {
    // A clock that was set back makes keys young, not stale.
    fn age(&self, now: Timestamp) -> Duration {
        Duration::from_micros(u64::try_from(now.micros() - self.at.micros()).unwrap_or(0))
    }

    fn is_fresh(&self, now: Timestamp) -> bool {
        self.age(now) <= MAX_KEY_AGE
    }
}

#[cfg(test)]
mod tests;
