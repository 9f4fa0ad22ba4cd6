//! Reads a published event.

use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Anyone, Context, Path, State};
use trust_log::tlog::NoteSigner;
use utoipa::ToSchema;

use super::{
    publication::example_signature,
    publish::Published,
    store::{self, StoredEvent},
};
use crate::{
    log::proven,
    model::{Event, EventHash, KeyId},
};

/// A published event with its signature: everything that a client needs to check it without trusting the server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedEvent {
    #[serde(flatten)]
    pub published: Published,
    /// The key id of the signer.
    pub signer_key_id: KeyId,
    /// The signature, as it was sent.
    #[schema(pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$", example = example_signature)]
    pub signature: String,
    /// The event as canonical JSON. Untrusted content.
    // Raw: a parsed and rewritten event could have other bytes, and so another hash.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
}

impl PublishedEvent {
    pub fn new(found: StoredEvent, log_key: &NoteSigner) -> Result<Self, Failure> {
        let StoredEvent { row, position, leaf, .. } = found;
        let leaf = leaf.ok_or_else(|| proven::damaged_entry(position.index()))?;
        let published = Published::new(row, &position, log_key)?;
        Ok(Self { published, signer_key_id: leaf.signer_key_id, signature: leaf.signature, event: leaf.event })
    }
}

/// `GET /events/{event_hash}`
pub async fn read(
    _: Anyone,
    Path((hash,)): Path<(EventHash,)>,
    State(log_key): State<NoteSigner>,
    context: Context,
) -> Result<Answer<PublishedEvent>, Error> {
    let found = context.look_up(move |conn| Ok(store::find(conn, &hash)?)).await?;
    let found = found.ok_or_else(code::not_found)?;
    // The page of the event shows it, and says that its proof is not valid.
    if !found.is_intact {
        return Err(proven::damaged_entry(found.position.index()).into());
    }
    Ok(Answer::ok(&PublishedEvent::new(found, &log_key)?)?)
}
