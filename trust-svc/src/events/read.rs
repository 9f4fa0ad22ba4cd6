//! Reading a published event.

use shared_runtime::{Answer, Anyone, Desk, Halt, Path, Refusal};

use super::{store, view::PublishedEvent};
use crate::canonical::EventHash;

/// `GET /events/{event_hash}`: the event as it was published, with its signature.
pub async fn read(_: Anyone, Path((hash,)): Path<(EventHash,)>, desk: Desk) -> Result<Answer<PublishedEvent>, Halt> {
    let found = desk.read(move |conn| Ok(store::find(conn, &hash)?)).await?;
    Ok(Answer::ok(&found.ok_or_else(Refusal::not_found)?)?)
}
