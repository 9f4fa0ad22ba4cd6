//! Reads a published event.

use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Anyone, Context, Path, State};
use trust_log::tlog::NoteSigner;
use utoipa::ToSchema;

use super::{
    publication::example_signature,
    publish::{Published, example_receipt},
    store::{self, StoredEvent},
};
use crate::{
    cosigning::Witnesses,
    log::{cosigned_receipt, proven},
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
    /// Another receipt of the event, with the newest checkpoint that enough witnesses have cosigned. Absent if the log
    /// has no witnesses, and until they have cosigned a checkpoint that covers the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, example = example_receipt)]
    pub cosigned_receipt: Option<String>,
}

impl PublishedEvent {
    /// Without a cosigned receipt.
    pub fn new(found: StoredEvent, log_key: &NoteSigner) -> Result<Self, Failure> {
        let StoredEvent { row, position, leaf, .. } = found;
        let leaf = leaf.ok_or_else(|| proven::damaged_entry(position.index()))?;
        let published = Published::new(row, &position, log_key)?;
        Ok(Self {
            published,
            signer_key_id: leaf.signer_key_id,
            signature: leaf.signature,
            event: leaf.event,
            cosigned_receipt: None,
        })
    }
}

/// `GET /events/{event_hash}`
pub async fn read(
    _: Anyone,
    Path((hash,)): Path<(EventHash,)>,
    State(log_key): State<NoteSigner>,
    State(witnesses): State<Option<Witnesses>>,
    context: Context,
) -> Result<Answer<PublishedEvent>, Error> {
    let found = context.look_up(move |conn| Ok(store::find(conn, &hash)?)).await?;
    let found = found.ok_or_else(code::not_found)?;
    // The page of the event shows it, and says that its proof is not valid.
    if !found.is_intact {
        return Err(proven::damaged_entry(found.position.index()).into());
    }
    let position = found.position.clone();
    let mut published = PublishedEvent::new(found, &log_key)?;
    if let Some(witnesses) = (*witnesses).clone() {
        let cosigned = context.read(move |conn| Ok(cosigned_receipt(conn, &position, &witnesses)?));
        published.cosigned_receipt = cosigned.await?;
    }
    Ok(Answer::ok(&published)?)
}
