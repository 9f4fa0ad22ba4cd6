//! The issuer's keys in use: kept fresh, never lost to a failed refresh, and asked for again when a token names a key
//! that is not known yet.
//!
//! **When a key id is unknown.** Either the issuer has rotated its keys, or somebody sends garbage; the two look alike.
//! The token waits for a fetch that *begins after it came*, one for all who wait. A fetch that succeeds decides: the
//! key is there, or the id is refused (401) and remembered as refused for [`COOLDOWN`]. At most [`BURST`] fetches
//! succeed in any [`COOLDOWN`] (a file may be read every second); when they are used up, an unknown id is answered 503 with when to come back, because
//! without asking we cannot tell. So garbage can delay the first token of a new key, but no token is refused wrongly.
//! A fetch that fails is answered 503 too, keeps the keys, and may be tried again after [`RETRY`].

mod history;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use arc_swap::ArcSwapOption;
use jsonwebtoken::Algorithm;
use shared_model::Timestamp;
use tokio::sync::watch;

use history::{COOLDOWN, History, RETRY};

use super::{
    asking::Unasked,
    jwks::Jwks,
    keys::{Found, Key, KeySet},
    settings::JwksSource,
};
use crate::base::clock::Clock;

/// Keys are fetched again when they are this old.
const REFRESH: Duration = Duration::from_secs(5 * 60);
/// Keys that could not be fetched again for this long are trusted no more.
const STALE: Duration = Duration::from_secs(6 * 3600);

/// The issuer's keys.
#[derive(Debug)]
pub struct Keyring {
    jwks: Jwks,
    published: ArcSwapOption<Published>,
    history: Mutex<History>,
    /// The number of the last fetch that ended.
    ended: watch::Sender<u64>,
}

/// A key set, and when the fetch that brought it began.
#[derive(Debug)]
struct Published {
    keys: KeySet,
    at: Timestamp,
}

/// Why there is no key for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoKey {
    /// The issuer has none of that id and algorithm: 401.
    Refused,
    /// We cannot tell: 503.
    CannotTell {
        /// Seconds after which it may be known.
        after_seconds: u64,
    },
}

impl Keyring {
    /// The keys at `source`; none are fetched yet.
    pub fn new(source: JwksSource) -> Arc<Self> {
        Arc::new(Self {
            jwks: Jwks::at(source),
            published: ArcSwapOption::empty(),
            history: Mutex::default(),
            ended: watch::Sender::new(0),
        })
    }

    /// Whether this very key is one of the issuer's, by keys that are fresh enough.
    pub fn has(&self, key: &Arc<Key>, now: Timestamp) -> bool {
        self.published.load().as_ref().is_some_and(|published| published.is_fresh(now) && published.keys.holds(key))
    }

    /// The key of this id for this algorithm; waits for the issuer when it is not known.
    pub async fn key(self: &Arc<Self>, clock: &Clock, kid: &str, algorithm: Algorithm) -> Result<Arc<Key>, NoKey> {
        let came = self.history().begun;
        if let Some(answer) = self.known(clock.now(), kid, algorithm) {
            return answer;
        }
        let fetched = self.fetched_after(clock, came, || self.known(clock.now(), kid, algorithm).is_some()).await;
        // Even a fetch that began too early for a refusal may have brought the key.
        match (self.find(clock.now(), kid, algorithm), fetched) {
            (Some(Found::Key(key)), _) => Ok(key),
            (Some(Found::OtherAlgorithm), _) => Err(NoKey::Refused),
            (Some(Found::Nothing), Ok(())) => {
                self.history().refuse(kid, clock.now());
                Err(NoKey::Refused)
            }
            (_, Err(after_seconds)) => Err(NoKey::CannotTell { after_seconds }),
            (None, Ok(())) => Err(NoKey::CannotTell { after_seconds: RETRY.as_secs() }),
        }
    }

    /// The key of this id for this algorithm, if it is known without asking the issuer.
    pub fn at_hand(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<Arc<Key>> {
        match self.find(now, kid, algorithm)? {
            Found::Key(key) => Some(key),
            Found::OtherAlgorithm | Found::Nothing => None,
        }
    }

    /// The age of the keys that are known.
    pub fn age(&self, now: Timestamp) -> Option<Duration> {
        self.published.load().as_ref().map(|published| published.age(now))
    }

    /// Why the keys cannot be fetched, if the last attempt failed.
    pub fn outage(&self) -> Option<String> {
        self.history().outage.as_ref().map(|(_, cause)| cause.clone())
    }

    /// Fetches the keys again and again, until the keyring is dropped.
    pub async fn refresh(ring: Weak<Self>, clock: Clock) {
        loop {
            let Some(held) = ring.upgrade() else { return };
            let pause = held.refresh_if_due(&clock).await;
            drop(held);
            tokio::time::sleep(pause).await;
        }
    }

    async fn refresh_if_due(self: &Arc<Self>, clock: &Clock) -> Duration {
        let is_due = || self.age(clock.now()).is_none_or(|age| age >= REFRESH) || self.jwks.has_changed();
        if is_due() {
            let came = self.history().begun;
            // The outcome is in the log; here, it only decides when to try again.
            let _ = self.fetched_after(clock, came, || !is_due()).await;
        }
        let due = match self.age(clock.now()) {
            None => self.history().backoff(),
            Some(age) if age >= REFRESH => self.history().backoff().max(10 * RETRY),
            Some(age) => (REFRESH - age).mul_f64(1.0 + 0.1 * rand::random::<f64>()),
        };
        self.jwks.watch_interval().map_or(due, |interval| due.min(interval))
    }

    /// What can be said without asking the issuer.
    fn known(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<Result<Arc<Key>, NoKey>> {
        match self.find(now, kid, algorithm)? {
            Found::Key(key) => Some(Ok(key)),
            Found::OtherAlgorithm => Some(Err(NoKey::Refused)),
            Found::Nothing => self.history().has_refused(kid, now).then_some(Err(NoKey::Refused)),
        }
    }

    /// `None` when there are no keys that we may believe.
    fn find(&self, now: Timestamp, kid: &str, algorithm: Algorithm) -> Option<Found> {
        let published = self.published.load();
        published.as_ref().filter(|published| published.is_fresh(now)).map(|it| it.keys.find(kid, algorithm))
    }

    /// Waits for a fetch that began after the one numbered `came`, and begins it if nobody has, unless an earlier one
    /// has brought `enough`: `Err` is the number of seconds after which it is worth asking again.
    async fn fetched_after(self: &Arc<Self>, clock: &Clock, came: u64, enough: impl Fn() -> bool) -> Result<(), u64> {
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
                    // Its own task: a client that hangs up does not take the fetch away from those who wait for it.
                    tokio::spawn(Arc::clone(self).fetch(clock.clone()));
                }
                history.begun
            };
            // The sender is ours; it cannot be gone.
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
                self.published.store(Some(Arc::new(Published { keys, at })));
            }
            Err(error) => {
                let published = self.published.load();
                let until = published.as_ref().filter(|it| it.is_fresh(at)).map(|it| it.at.plus(STALE));
                history.note_failure(at, error, self.jwks.source(), until);
            }
        }
        drop(history);
        drop(end);
    }

    async fn fetch_keys(&self) -> Result<KeySet, Unasked> {
        let document = self.jwks.read().await?;
        let earlier = self.published.load();
        Ok(KeySet::parse(&document, earlier.as_ref().map(|published| &published.keys))?)
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a fetch, even one whose task is dropped with its runtime.
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

impl Published {
    /// A clock that was set back makes keys young, not stale.
    fn age(&self, now: Timestamp) -> Duration {
        Duration::from_micros(u64::try_from(now.micros() - self.at.micros()).unwrap_or(0))
    }

    fn is_fresh(&self, now: Timestamp) -> bool {
        self.age(now) <= STALE
    }
}

#[cfg(test)]
mod tests;
