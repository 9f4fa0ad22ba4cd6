//! Reading a published event.

use shared_model::{Error, code};
use shared_runtime::{Answer, Anyone, Context, Path};

use super::store::{self, PublishedEvent};
use crate::canonical::EventHash;

/// `GET /events/{event_hash}`: the event as it was published, with its signature.
pub async fn read(
    _: Anyone,
    Path((hash,)): Path<(EventHash,)>,
    context: Context,
) -> Result<Answer<PublishedEvent>, Error> {
    let found = context.read(move |conn| Ok(store::find(conn, &hash)?)).await?;
    Ok(Answer::ok(&found.ok_or_else(code::not_found)?)?)
}
