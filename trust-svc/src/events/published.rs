//! A published event as clients see it: where it stands, with the proof.

use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use utoipa::ToSchema;

use super::{
    Event, EventId, MarketId,
    store::{EventRow, Stored},
};
use crate::{
    canonical::EventHash,
    log::{Place, ShownPlace, place},
    markets::MarketState,
    signers::KeyId,
    signing,
    tlog::NoteSigner,
};

/// The place of an event in its market and in the log, with the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Published {
    /// Its id.
    pub event_id: EventId,
    /// Its hash.
    pub event_hash: EventHash,
    /// Its market.
    pub market_id: MarketId,
    /// The market's revision that it made.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The market's state after it.
    pub state: MarketState,
    /// When it was published, by the server's clock.
    pub published_at: Timestamp,
    /// Its place in the log, and the proof.
    pub log: ShownPlace,
    /// The same proof as one text (c2sp.org/tlog-proof): with the body that was published and the log's key it shows
    /// for ever, offline, that the log has the event. An answer that comes again has the same receipt.
    #[schema(example = example)]
    pub receipt: String,
}

/// A published event with its signature: enough to check it without trusting the server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedEvent {
    /// Where it stands.
    #[serde(flatten)]
    pub published: Published,
    /// Whose signature it is.
    pub signer_key_id: KeyId,
    /// The signature, as it was sent.
    #[schema(pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$", example = signing::example)]
    pub signature: String,
    /// The event, as canonical JSON; untrusted content.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
}

impl Published {
    /// The event of this row, which stands there.
    pub fn new(row: EventRow, place: &Place, signer: &NoteSigner) -> Result<Self, Failure> {
        let (log, receipt) = place.shown(signer)?;
        let EventRow { event_id, event_hash, market_id, revision, state, published_at, .. } = row;
        Ok(Self { event_id, event_hash, market_id, revision, state, published_at, log, receipt })
    }
}

impl PublishedEvent {
    /// The event as it was found.
    pub fn new(found: Stored, signer: &NoteSigner) -> Result<Self, Failure> {
        let Stored { row, place, leaf } = found;
        let published = Published::new(row, &place, signer)?;
        Ok(Self { published, signer_key_id: leaf.signer_key_id, signature: leaf.signature, event: leaf.event })
    }
}

/// The receipt that the OpenAPI document shows.
pub fn example() -> String {
    format!("c2sp.org/tlog-proof@v1\nindex 0\n\n{}", place::example())
}
