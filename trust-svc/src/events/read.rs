//! Reading a published event.

use shared_model::{Error, code};
use shared_runtime::{Answer, Anyone, Context, Path, State};

use super::{published::PublishedEvent, store};
use crate::{canonical::EventHash, state::Trust};

/// `GET /events/{event_hash}`: the event as it was published, with its signature and the receipt of then.
pub async fn read(
    _: Anyone,
    Path((hash,)): Path<(EventHash,)>,
    State(trust): State<Trust>,
    context: Context,
) -> Result<Answer<PublishedEvent>, Error> {
    let found = context.read(move |conn| Ok(store::find(conn, &hash)?)).await?;
    Ok(Answer::ok(&PublishedEvent::new(found.ok_or_else(code::not_found)?, &trust.signer)?)?)
}
