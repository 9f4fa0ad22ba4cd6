//! Reads the state of a market and its events.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Cursor, Error, Failure, Timestamp, code};
use shared_runtime::{Answer, Anyone, Conn, Context, Path, Query, http::list::Page, state::db::columns};
use utoipa::ToSchema;

use super::Market;
use crate::{
    model::{EventHash, EventId, KeyId, MarketId, MarketState},
    tables::events,
};

/// An event in the chain of its market.
#[derive(Debug, Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = events)]
pub struct ChainedEvent {
    /// The revision of the market after this event.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The next event has this hash as its `prev_event_hash`.
    pub event_hash: EventHash,
    pub event_id: EventId,
    /// The state of the market after this event.
    pub state: MarketState,
    /// The key id of the signer.
    pub signer_key_id: KeyId,
    /// The index of the event in the log.
    #[schema(minimum = 0)]
    pub log_index: i64,
    pub published_at: Timestamp,
}

/// A market with its events.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketChain {
    #[serde(flatten)]
    pub market: Market,
    /// The events in the order of their revisions. `meta.next_cursor` leads to the next ones.
    #[schema(max_items = 100)]
    pub events: Vec<ChainedEvent>,
}

/// `GET /markets/{market_id}`
pub async fn read(
    _: Anyone,
    Path((id,)): Path<(MarketId,)>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<MarketChain>, Error> {
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "read_market", "", id.as_str());
    let (after, rows) = (page.position::<i64>(&cursors, now)?.unwrap_or(0), page.rows());
    let found = context.read(move |conn| {
        let market = Market::find(conn, id)?.ok_or_else(code::not_found)?;
        // An event may be published between the two queries. The state does not count it yet.
        let events = events_between(conn, id, (after, market.revision), rows)?;
        Ok((market, events))
    });
    let (market, events) = found.await?;
    let (events, has_more) = page.cut(events);
    let next = events.last().filter(|_| has_more).map(|last| cursors.encode(&last.revision.to_string(), now));
    Ok(Answer::ok(&MarketChain { market, events })?.page(next))
}

/// At most `limit` events of a market after one revision and up to another, in their order.
fn events_between(
    conn: &mut Conn,
    id: MarketId,
    (after, last): (i64, i64),
    limit: i64,
) -> Result<Vec<ChainedEvent>, Failure> {
    let chain = events::table.filter(events::market_id.eq(id));
    let chain = chain.filter(events::revision.gt(after).and(events::revision.le(last)));
    Ok(chain.order(events::revision).limit(limit).select(columns::<ChainedEvent>()).load(conn)?)
}
