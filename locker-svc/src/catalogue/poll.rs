//! Following a catalogue: one replica asks the upstream every half minute, and all of them serve what it found.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    jobs::{End, Interrupted, JobKind, Lease, Settled},
};

use super::{
    Catalogue, Trouble,
    fetch::{self, Fetched, Unfetched},
    store,
    upstream::{self, Upstream},
};

/// Between two requests.
pub const INTERVAL: Duration = Duration::from_secs(30);
/// How long an upstream may take for its answer, to the last byte.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The job's kind.
pub const KIND: &str = "catalogue_poll";
/// There is one job of it, and so one poller among all replicas.
pub const KEY: &str = "upstream";

/// The job: it ends when nothing is followed any more.
pub fn job() -> JobKind {
    JobKind::new(KIND, poll, |conn, _, now| next(conn, now))
}

async fn poll(context: Context, lease: Lease) -> Result<Settled, Interrupted> {
    let attempt = Attempt::make(&context, PATIENCE).await?;
    let now = context.clock.now();
    lease
        .settle(&context, move |conn| {
            if let Some(attempt) = &attempt {
                attempt.record(conn)?;
            }
            next(conn, now)
        })
        .await
}

fn next(conn: &mut Conn, now: Timestamp) -> Result<End, Error> {
    Ok(if upstream::find(conn)?.is_some() { End::Again(now.plus(INTERVAL)) } else { End::Done })
}

/// One request to the upstream, and what came of it.
pub struct Attempt {
    /// The row as it is to be.
    upstream: Upstream,
    catalogue: Option<Box<Catalogue>>,
}

impl Attempt {
    /// Asks the upstream, which has this long to answer; `None` when there is none.
    pub async fn make(context: &Context, within: Duration) -> Result<Option<Self>, Error> {
        let Some((upstream, shelf)) = context.read(followed).await? else { return Ok(None) };
        let tried_at = context.clock.now();
        // A tag is worth something as long as what it names is what is served.
        let seen = upstream.etag.clone().filter(|_| shelf.is_some() && shelf == upstream.version);
        let fetched = fetch::fetch(&fetch::client(within)?, &upstream.url, seen.as_deref()).await;
        let attempt = Self::judge(upstream, tried_at, fetched);
        attempt.tell();
        Ok(Some(attempt))
    }

    fn judge(mut upstream: Upstream, tried_at: Timestamp, fetched: Result<Fetched, Unfetched>) -> Self {
        upstream.tried_at = Some(tried_at);
        let mut accepted = None;
        // Nothing was changed in the future (RFC 9110 §8.8.2.1): such a date would make all true ones earlier.
        let past = |at: Option<Timestamp>| at.map(|at| at.min(tried_at));
        upstream.modified_at = past(upstream.modified_at);
        let trouble = match fetched {
            Ok(Fetched::Same) => None,
            Ok(Fetched::Catalogue { catalogue, modified_at, .. })
                if modified_at.is_some()
                    && past(modified_at) < upstream.modified_at
                    && Some(&catalogue.version) != upstream.version.as_ref() =>
            {
                Some((Trouble::Older, "another catalogue, with an earlier Last-Modified than before".to_owned()))
            }
            Ok(Fetched::Catalogue { catalogue, etag, modified_at }) => {
                upstream.version = Some(catalogue.version.clone());
                upstream.etag = etag;
                upstream.modified_at = past(modified_at).or(upstream.modified_at);
                accepted = Some(catalogue);
                None
            }
            Err(unfetched) => Some(unfetched),
        };
        if trouble.is_none() {
            upstream.checked_at = Some(tried_at);
            upstream.fresh_since = tried_at;
        }
        (upstream.trouble, upstream.detail) = trouble.unzip();
        Self { upstream, catalogue: accepted }
    }

    /// Writes down what came of it, and serves the catalogue if there is a new one.
    pub fn record(&self, conn: &mut Conn) -> Result<(), Failure> {
        upstream::note(conn, &self.upstream, self.catalogue.as_deref())
    }

    /// Why there was no good answer, if so, for the operator.
    pub fn trouble(&self) -> Option<String> {
        let detail = self.upstream.detail.as_deref().unwrap_or_default();
        self.upstream.trouble.map(|trouble| format!("{trouble}: {detail}"))
    }

    fn tell(&self) {
        let outcome = match self.upstream.trouble {
            Some(trouble) => {
                tracing::warn!(%trouble, detail = self.upstream.detail, "the catalogue's upstream gave no catalogue");
                trouble.as_str()
            }
            None => "ok",
        };
        metrics::counter!("catalogue_checks_total", "outcome" => outcome).increment(1);
    }
}

/// The upstream, and the version that is served.
fn followed(conn: &mut Conn) -> Result<Option<(Upstream, Option<String>)>, Error> {
    let Some(upstream) = upstream::find(conn)? else { return Ok(None) };
    Ok(Some((upstream, store::newest(conn)?.map(|snapshot| snapshot.version))))
}
