//! `GET /api/v1/catalogue`: planned room prices and availability, for everyone.

use std::time::{Duration, SystemTime};

use shared_model::{Error, Etag, Failure, Timestamp};
use shared_runtime::{Answer, Anyone, Context, IfNoneMatch};

use super::{content::Catalogue, store};
use crate::codes::CATALOGUE_UNAVAILABLE;

/// How long anyone may cache it.
const CACHE_CONTROL: &str = "public, max-age=30";

/// The newest snapshot; 304 when the client has it; 503 `catalogue_unavailable` when there is none, or when an upstream is
/// followed and has not confirmed it for five minutes.
pub async fn read(_: Anyone, seen: IfNoneMatch, context: Context) -> Result<Answer<Catalogue>, Error> {
    let (newest, upstream) = context.read(|conn| Ok((store::newest(conn)?, store::upstream(conn)?))).await?;
    let now = context.clock.now();
    let is_fresh = upstream.is_none_or(|upstream| now <= upstream.fresh_until());
    let snapshot = newest.filter(|_| is_fresh).ok_or_else(|| CATALOGUE_UNAVAILABLE.refusal())?;
    let etag =
        Etag::parse(&format!("\"{}\"", snapshot.version)).ok_or_else(|| Failure::fault("a version is not a hash"))?;
    let answer = if seen.has(etag) { Answer::not_modified(etag) } else { Answer::from_json(snapshot.body).etag(etag) };
    Ok(answer.header("cache-control", CACHE_CONTROL).header("last-modified", http_date(snapshot.imported_at)))
}

fn http_date(timestamp: Timestamp) -> String {
    httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(timestamp.seconds().unsigned_abs()))
}
