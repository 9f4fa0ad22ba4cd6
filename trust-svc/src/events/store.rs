//! Published events: rows, as clients see them, and queries. The content of an event is in the log, its place beside it.

use diesel::{dsl::exists, prelude::*, select};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, state::db::columns};
use utoipa::ToSchema;

use super::{Event, EventId, MarketId};
use crate::{
    canonical::EventHash,
    markets::MarketState,
    schema::{events, log_entries},
    signers::KeyId,
    signing,
};

/// The place of an event in its market and in the log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, Serialize, ToSchema)]
#[diesel(table_name = events)]
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
    /// Its place in the log, counted from 0 without gaps.
    #[schema(minimum = 0)]
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
    #[schema(pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$", example = signing::example)]
    pub signature: String,
    /// The event, as canonical JSON; untrusted content.
    #[schema(value_type = Event)]
    pub event: Box<RawValue>,
}

/// What the log keeps of a publication, but for the hash.
#[derive(Deserialize)]
struct Leaf {
    event: Box<RawValue>,
    signature: String,
    signer_key_id: KeyId,
}

/// Whether the event of this hash is published.
pub fn is_published(conn: &mut Conn, hash: &EventHash) -> Result<bool, Failure> {
    Ok(select(exists(events::table.find(hash))).get_result(conn)?)
}

/// Whether a published event has this id.
pub fn has_id(conn: &mut Conn, id: EventId) -> Result<bool, Failure> {
    Ok(select(exists(events::table.filter(events::event_id.eq(id)))).get_result(conn)?)
}

/// The event of this hash, with its signature.
pub fn find(conn: &mut Conn, hash: &EventHash) -> Result<Option<PublishedEvent>, Failure> {
    let found: Option<(Published, Vec<u8>)> = events::table
        .inner_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .filter(events::event_hash.eq(hash))
        .select((columns::<Published>(), log_entries::leaf))
        .first(conn)
        .optional()?;
    let Some((published, leaf)) = found else { return Ok(None) };
    let Leaf { event, signature, signer_key_id } = serde_json::from_slice(&leaf)?;
    Ok(Some(PublishedEvent { published, signer_key_id, signature, event }))
}

/// Stores the place of a new event.
pub fn insert(conn: &mut Conn, published: &Published, signer_key_id: &KeyId) -> Result<(), Failure> {
    let row = (published, events::signer_key_id.eq(signer_key_id));
    diesel::insert_into(events::table).values(row).execute(conn)?;
    Ok(())
}
