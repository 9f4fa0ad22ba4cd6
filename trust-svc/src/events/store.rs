//! Where published events rest: their content in the log, their place beside it.

use diesel::{dsl::exists, prelude::*, select};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared_model::Failure;
use shared_runtime::Conn;

use super::{
    EventId,
    view::{Published, PublishedEvent},
};
use crate::{
    canonical::EventHash,
    schema::{events, log_entries},
    signers::KeyId,
};

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
    let place = (
        events::event_id,
        events::event_hash,
        events::market_id,
        events::revision,
        events::state,
        events::published_at,
        events::log_index,
    );
    let found: Option<(Published, Vec<u8>)> = events::table
        .inner_join(log_entries::table.on(log_entries::log_index.eq(events::log_index)))
        .filter(events::event_hash.eq(hash))
        .select((place, log_entries::leaf))
        .first(conn)
        .optional()?;
    let Some((published, leaf)) = found else { return Ok(None) };
    let Leaf { event, signature, signer_key_id } = serde_json::from_slice(&leaf)?;
    Ok(Some(PublishedEvent { published, signer_key_id, signature, event }))
}

/// Notes where a new event stands.
pub fn insert(conn: &mut Conn, published: &Published, signer_key_id: &KeyId) -> Result<(), Failure> {
    diesel::insert_into(events::table)
        .values((
            events::event_hash.eq(&published.event_hash),
            events::event_id.eq(&published.event_id),
            events::market_id.eq(&published.market_id),
            events::revision.eq(published.revision),
            events::state.eq(published.state),
            events::signer_key_id.eq(signer_key_id),
            events::log_index.eq(published.log_index),
            events::published_at.eq(published.published_at),
        ))
        .execute(conn)?;
    Ok(())
}
