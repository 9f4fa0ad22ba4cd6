//! Reads the state of a market and its events.

use serde::Serialize;
use shared_model::{Cursor, Error, code};
use shared_runtime::{Answer, Anyone, Context, Path, Query, http::list::Page};
use utoipa::ToSchema;

use super::{ChainedEvent, Market, store};
use crate::model::MarketId;

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
    // One transaction: the page must not show an event that the market's state does not count yet.
    let found = context.read(move |conn| Ok((store::find(conn, id)?, store::events_after(conn, id, after, rows)?)));
    let (market, events) = found.await?;
    let market = market.ok_or_else(code::not_found)?;
    let (events, has_more) = page.cut(events);
    let next = events.last().filter(|_| has_more).map(|last| cursors.encode(&last.revision.to_string(), now));
    Ok(Answer::ok(&MarketChain { market, events })?.page(next))
}
