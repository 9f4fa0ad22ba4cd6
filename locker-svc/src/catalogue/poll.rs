//! Polling the upstream: a job that one replica runs every half minute; all replicas serve what it found.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::metrics::{Metric, Metrics},
    jobs::{End, Interrupted, JobKind, Lease, Settled},
};

use super::{
    content::Catalogue,
    fetch::{self, FetchError, Fetched},
    store,
    upstream::{FetchErrorKind, Upstream},
};
use crate::codes::CATALOGUE_POLL_SECONDS;

/// The time between two polls.
pub const INTERVAL: Duration = Duration::from_secs(CATALOGUE_POLL_SECONDS);
/// How long an upstream may take for its answer, to the last byte.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The name of the job's kind.
pub const KIND: &str = "catalogue_poll";
/// The key of the one job of this kind, so that one replica polls.
pub const KEY: &str = "upstream";

const CHECKS: Metric = Metric {
    name: "catalogue_checks_total",
    help: "Requests to the catalogue's upstream, by outcome: ok, or what was wrong.",
};

/// Counts from now on, beginning with 0 of each outcome.
pub fn measure(metrics: &Metrics) {
    for (outcome, _) in FetchErrorKind::ALL {
        count(metrics, outcome, 0);
    }
    count(metrics, "ok", 0);
}

fn count(metrics: &Metrics, outcome: &str, checks: u64) {
    metrics.counter(&CHECKS, &[("outcome", outcome)]).increment(checks);
}

/// The job: it ends when nothing is followed any more.
pub fn job() -> JobKind {
    JobKind::new(KIND, run, |conn, _, now| next(conn, now))
}

async fn run(context: Context, lease: Lease) -> Result<Settled, Interrupted> {
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

fn next(conn: &mut Conn, now: Timestamp) -> Result<End, Error> {
    Ok(if store::upstream(conn)?.is_some() { End::Again(now.plus(INTERVAL)) } else { End::Done })
}

/// What one poll found.
pub struct PollResult {
    /// The row as it is to be.
    upstream: Upstream,
    /// The catalogue to serve, if it is a new one.
    catalogue: Option<Box<Catalogue>>,
}

impl PollResult {
    /// Polls the upstream; `None` when nothing is followed.
    pub async fn fetch(context: &Context, timeout: Duration) -> Result<Option<Self>, Error> {
        let Some((upstream, served)) = context.read(followed).await? else { return Ok(None) };
        let tried_at = context.clock.now();
        // The tag may be sent only while the catalogue that it names is the one that is served.
        let etag = upstream.etag.clone().filter(|_| served.is_some() && served == upstream.version);
        let fetched = fetch::fetch(&fetch::client(timeout)?, &upstream.url, etag.as_deref()).await;
        let result = Self::new(upstream, tried_at, fetched);
        result.log(&context.metrics);
        Ok(Some(result))
    }

    fn new(mut upstream: Upstream, tried_at: Timestamp, fetched: Result<Fetched, FetchError>) -> Self {
        upstream.tried_at = Some(tried_at);
        let mut accepted = None;
        // A Last-Modified in the future (RFC 9110 §8.8.2.1) would make all true ones look older.
        let past = |at: Option<Timestamp>| at.map(|at| at.min(tried_at));
        upstream.modified_at = past(upstream.modified_at);
        let error = match fetched {
            Ok(Fetched::NotModified) => None,
            Ok(Fetched::Catalogue { catalogue, modified_at, .. })
                if modified_at.is_some()
                    && past(modified_at) < upstream.modified_at
                    && Some(&catalogue.version) != upstream.version.as_ref() =>
            {
                let detail = "another catalogue, with an earlier Last-Modified than before".to_owned();
                Some(FetchError { kind: FetchErrorKind::Older, detail })
            }
            Ok(Fetched::Catalogue { catalogue, etag, modified_at }) => {
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

    /// Stores the result and the catalogue, if there is a new one; nothing when another upstream is followed by now.
    pub fn store(&self, conn: &mut Conn) -> Result<(), Failure> {
        let Some(present) = store::upstream(conn)? else { return Ok(()) };
        if (&present.url, present.followed_at) != (&self.upstream.url, self.upstream.followed_at) {
            return Ok(());
        }
        if let (Some(catalogue), Some(checked_at)) = (&self.catalogue, self.upstream.checked_at) {
            store::put(conn, catalogue, checked_at)?;
        }
        store::update_upstream(conn, &self.upstream)
    }

    /// Why there was no catalogue, if so, for the operator.
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

/// The upstream, and the version that is served.
fn followed(conn: &mut Conn) -> Result<Option<(Upstream, Option<String>)>, Error> {
    let Some(upstream) = store::upstream(conn)? else { return Ok(None) };
    Ok(Some((upstream, store::newest(conn)?.map(|snapshot| snapshot.version))))
}
