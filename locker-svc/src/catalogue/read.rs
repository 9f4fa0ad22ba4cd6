//! `GET /api/v1/catalogue`: planned room prices and availability, for everyone.

use shared_runtime::{Answer, Anyone, Halt, IfNoneMatch};

use super::{Catalogue, store::Shelf};

/// Anyone may keep it for half a minute.
const CACHE_CONTROL: &str = "public, max-age=30";

/// The newest snapshot, or 304 for whoever has it; 503 `catalogue_unavailable` when none was ever imported.
pub async fn read(_: Anyone, shelf: Shelf, seen: IfNoneMatch) -> Result<Answer<Catalogue>, Halt> {
    let snapshot = shelf.current().await?;
    let answer = if seen.has(snapshot.etag) {
        Answer::not_modified(snapshot.etag)
    } else {
        Answer::from_json(snapshot.json).etag(snapshot.etag)
    };
    Ok(answer.header("cache-control", CACHE_CONTROL))
}
