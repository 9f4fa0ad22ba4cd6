//! `GET /api/v1/catalogue`: planned room prices and availability, for everyone.

use shared_model::{Etag, NextAction};
use shared_runtime::{Answer, Anyone, Desk, Failure, Halt, IfNoneMatch, Refusal};

use super::{Catalogue, store};
use crate::codes::CATALOGUE_UNAVAILABLE;

/// Anyone may keep it for half a minute.
const CACHE_CONTROL: &str = "public, max-age=30";
/// Seconds after which an operator may have imported the first snapshot.
const EMPTY_SECONDS: u64 = 30;

/// The newest snapshot, or 304 for whoever has it; 503 `catalogue_unavailable` when none was ever imported.
pub async fn read(_: Anyone, seen: IfNoneMatch, desk: Desk) -> Result<Answer<Catalogue>, Halt> {
    let newest = desk.read(|conn| Ok(store::newest(conn)?)).await?;
    let (version, json) = newest.ok_or_else(unavailable)?;
    let etag = Etag::parse(&format!("\"{version}\"")).ok_or_else(|| Failure::fault("a version that is no hash"))?;
    let answer = if seen.has(etag) { Answer::not_modified(etag) } else { Answer::from_json(json).etag(etag) };
    Ok(answer.header("cache-control", CACHE_CONTROL))
}

fn unavailable() -> Refusal {
    let wait = NextAction::Wait { after_seconds: EMPTY_SECONDS };
    CATALOGUE_UNAVAILABLE.refusal().next(wait).header("retry-after", EMPTY_SECONDS.to_string())
}
