//! `GET /api/v1/catalogue`: room prices and availability. Public.

use std::time::{Duration, SystemTime};

use shared_model::{Error, Etag, Failure, Timestamp};
use shared_runtime::{Answer, Anyone, Context, IfNoneMatch};

use super::{content::Catalogue, store};
use crate::codes::CATALOGUE_UNAVAILABLE;

// As long as the time between two polls: a cache adds at most one poll to the age.
const CACHE_CONTROL: &str = "public, max-age=30";

// Without a confirmed catalogue the answer is 503 instead of the last known one: a wrong price is worse than none.
pub async fn read(_: Anyone, seen: IfNoneMatch, context: Context) -> Result<Answer<Catalogue>, Error> {
    let found = context.read(|conn| {
        // In this order: the snapshot is then at least as new as what is known of the upstream.
        let upstream = store::find_upstream(conn)?;
        Ok((store::newest_snapshot(conn)?, upstream))
    });
    let (newest, upstream) = found.await?;
    let now = context.clock.now();
    let is_fresh = upstream.is_none_or(|upstream| upstream.is_fresh(now));
    let snapshot = newest.filter(|_| is_fresh).ok_or_else(|| CATALOGUE_UNAVAILABLE.refusal())?;
    let etag =
        Etag::parse(&format!("\"{}\"", snapshot.version)).ok_or_else(|| Failure::fault("a version is not a hash"))?;
    let answer = if seen.has(etag) { Answer::not_modified(etag) } else { Answer::from_json(snapshot.body).etag(etag) };
    Ok(answer.header("cache-control", CACHE_CONTROL).header("last-modified", http_date(snapshot.imported_at)))
}

fn http_date(timestamp: Timestamp) -> String {
    httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(timestamp.seconds().unsigned_abs()))
}
