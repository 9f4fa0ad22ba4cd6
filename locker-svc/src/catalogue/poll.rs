//! Polls the upstream: a job that one replica runs every 30 seconds. All replicas serve its result.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::metrics::{Metric, Metrics},
    jobs::{AttemptError, JobEnd, JobKind, Lease, Settlement},
};

use super::{
    content::Catalogue,
    fetch::{self, FetchError, UpstreamAnswer},
    store,
    upstream::{FetchErrorKind, Upstream},
};
use crate::codes::CATALOGUE_POLL_SECONDS;

pub const POLL_INTERVAL: Duration = Duration::from_secs(CATALOGUE_POLL_SECONDS);
// Shorter than the interval, so that polls never overlap.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
pub const JOB_KIND: &str = "catalogue_poll";
// One key for all replicas, so that only one of them polls.
pub const JOB_KEY: &str = "upstream";

pub const CHECKS: Metric = Metric::counter(
    "catalogue_checks_total",
    &["outcome"],
    "Requests to the catalogue's upstream. The outcome is ok, or what was wrong.",
);

// Every outcome starts with 0: an alert on a rate needs the first value.
pub fn measure(metrics: &Metrics) {
    for (outcome, _) in FetchErrorKind::ALL {
        count(metrics, outcome, 0);
    }
    count(metrics, "ok", 0);
}

fn count(metrics: &Metrics, outcome: &str, checks: u64) {
    metrics.counter(&CHECKS, &[("outcome", outcome)]).increment(checks);
}

/// The job. It repeats until nothing is followed.
pub fn job() -> JobKind {
    JobKind::new(JOB_KIND, run, |conn, _, now| next(conn, now))
}

async fn run(context: Context, lease: Lease) -> Result<Settlement, AttemptError> {
    let result = PollResult::fetch(&context, FETCH_TIMEOUT).await?;
    let now = context.clock.now();
    lease
        .settle(&context, move |conn| {
            if let Some(result) = &result {
                result.store(conn)?;
            }
            next(conn, now)
        })
        .await
}

fn next(conn: &mut Conn, now: Timestamp) -> Result<JobEnd, Error> {
    Ok(if store::find_upstream(conn)?.is_some() { JobEnd::Again(now.plus(POLL_INTERVAL)) } else { JobEnd::Done })
}

pub struct PollResult {
    /// The row to store.
    upstream: Upstream,
    /// The catalogue to serve, if it is a new one.
    catalogue: Option<Box<Catalogue>>,
}

impl PollResult {
    /// Polls the upstream. `None` when nothing is followed.
    pub async fn fetch(context: &Context, timeout: Duration) -> Result<Option<Self>, Error> {
        let Some((upstream, served)) = context.read(followed).await? else { return Ok(None) };
        // After an import or a change of the upstream, a 304 would confirm a catalogue that is not the served one.
        let etag = upstream.etag.clone().filter(|_| served.is_some() && served == upstream.version);
        Self::of(context, upstream, etag.as_deref(), timeout).await.map(Some)
    }

    /// Polls this upstream, which need not be followed yet.
    pub async fn of(
        context: &Context,
        upstream: Upstream,
        etag: Option<&str>,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let tried_at = context.clock.now();
        let fetched = fetch::fetch(&fetch::client(timeout)?, &upstream.url, etag).await;
        let result = Self::new(upstream, tried_at, fetched);
        result.log(&context.metrics);
        Ok(result)
    }

    fn new(mut upstream: Upstream, tried_at: Timestamp, fetched: Result<UpstreamAnswer, FetchError>) -> Self {
        upstream.tried_at = Some(tried_at);
        let mut accepted = None;
        // A Last-Modified in the future would make every correct later one look older (RFC 9110 §8.8.2.1).
        let past = |at: Option<Timestamp>| at.map(|at| at.min(tried_at));
        upstream.modified_at = past(upstream.modified_at);
        let error = match fetched {
            Ok(UpstreamAnswer::NotModified) => None,
            Ok(UpstreamAnswer::Catalogue { catalogue, modified_at, .. })
                if modified_at.is_some()
                    && past(modified_at) < upstream.modified_at
                    && Some(&catalogue.version) != upstream.version.as_ref() =>
            {
                let detail = "another catalogue, with an earlier Last-Modified than before".to_owned();
                Some(FetchError { kind: FetchErrorKind::Older, detail })
            }
            Ok(UpstreamAnswer::Catalogue { catalogue, etag, modified_at }) => {
                upstream.version = Some(catalogue.version.clone());
                upstream.etag = etag;
                upstream.modified_at = past(modified_at).or(upstream.modified_at);
                accepted = Some(catalogue);
                None
            }
            Err(error) => Some(error),
        };
        if error.is_none() {
            upstream.checked_at = Some(tried_at);
            upstream.fresh_since = tried_at;
        }
        (upstream.trouble, upstream.detail) = error.map(|error| (error.kind, error.detail)).unzip();
        Self { upstream, catalogue: accepted }
    }

    /// Stores the result. Does nothing when another upstream is followed by now.
    pub fn store(&self, conn: &mut Conn) -> Result<(), Failure> {
        let Some(present) = store::find_upstream(conn)? else { return Ok(()) };
        // The operator may have followed another address while the request was on its way.
        if (&present.url, present.followed_at) != (&self.upstream.url, self.upstream.followed_at) {
            return Ok(());
        }
        if let (Some(catalogue), Some(checked_at)) = (&self.catalogue, self.upstream.checked_at) {
            store::put(conn, catalogue, checked_at)?;
        }
        store::update_upstream(conn, &self.upstream)
    }

    /// Why there was no catalogue, for the operator.
    pub fn error(&self) -> Option<String> {
        let detail = self.upstream.detail.as_deref().unwrap_or_default();
        self.upstream.trouble.map(|kind| format!("{kind}: {detail}"))
    }

    fn log(&self, metrics: &Metrics) {
        let outcome = match self.upstream.trouble {
            Some(trouble) => {
                tracing::warn!(%trouble, detail = self.upstream.detail, "the catalogue's upstream gave no catalogue");
                trouble.as_str()
            }
            None => "ok",
        };
        count(metrics, outcome, 1);
    }
}

fn followed(conn: &mut Conn) -> Result<Option<(Upstream, Option<String>)>, Error> {
    let Some(upstream) = store::find_upstream(conn)? else { return Ok(None) };
    Ok(Some((upstream, store::newest_version(conn)?)))
}
