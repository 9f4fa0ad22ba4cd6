//! What the world sees of a published event.

use diesel::Queryable;
use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::Timestamp;
use utoipa::ToSchema;

use super::{Event, EventId};
use crate::{
    canonical::EventHash,
    markets::{MarketId, State},
    signers::KeyId,
};

/// Where an event came to stand when it was published.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Serialize, ToSchema)]
pub struct Published {
    /// Its id.
    pub event_id: EventId,
    /// Its hash.
    pub event_hash: EventHash,
    /// Its market.
    pub market_id: MarketId,
    /// The market's revision that it made.
    pub revision: i64,
    /// The market's state after it.
    pub state: State,
    /// When it was published, by the server's clock.
    pub published_at: Timestamp,
    /// Its place in the log, counted from 0 without gaps.
    pub log_index: i64,
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
    #[schema(example = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw==")]
    pub signature: String,
    /// The event, as canonical JSON; untrusted content.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
}
