//! `GET /api/v1/catalogue`: planned room prices and availability, for everyone.

use std::time::{Duration, SystemTime};

use shared_model::{Error, Etag, Failure, NextAction, Refusal, Timestamp};
use shared_runtime::{Answer, Anyone, Context, IfNoneMatch};

use super::{Catalogue, poll, store, upstream};
use crate::codes::CATALOGUE_UNAVAILABLE;

/// Anyone may keep it for half a minute.
const CACHE_CONTROL: &str = "public, max-age=30";

/// The newest snapshot, or 304 for whoever has it; 503 `catalogue_unavailable` when there is none, or when it is followed
/// and was not confirmed for five minutes.
pub async fn read(_: Anyone, seen: IfNoneMatch, context: Context) -> Result<Answer<Catalogue>, Error> {
    let (newest, upstream) = context.read(|conn| Ok((store::newest(conn)?, upstream::find(conn)?))).await?;
    let now = context.clock.now();
    let snapshot =
        newest.filter(|_| upstream.is_none_or(|upstream| now <= upstream.fresh_until())).ok_or_else(unavailable)?;
    let etag =
        Etag::parse(&format!("\"{}\"", snapshot.version)).ok_or_else(|| Failure::fault("a version that is no hash"))?;
    let answer = if seen.has(etag) { Answer::not_modified(etag) } else { Answer::from_json(snapshot.body).etag(etag) };
    Ok(answer.header("cache-control", CACHE_CONTROL).header("last-modified", http_date(snapshot.imported_at)))
}

fn unavailable() -> Refusal {
    let after_seconds = poll::INTERVAL.as_secs();
    let wait = NextAction::Wait { after_seconds };
    CATALOGUE_UNAVAILABLE.refusal().next(wait).header("retry-after", after_seconds.to_string())
}

fn http_date(timestamp: Timestamp) -> String {
    httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(timestamp.seconds().unsigned_abs()))
}
