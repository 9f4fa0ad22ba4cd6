//! Where markets rest.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;

use super::{Market, MarketId};
use crate::schema::markets;

/// The market of this id, if it has events.
pub fn find(conn: &mut Conn, id: MarketId) -> Result<Option<Market>, Failure> {
    Ok(markets::table.find(id).first(conn).optional()?)
}

/// Notes where a market stands now.
pub fn put(conn: &mut Conn, market: &Market, is_new: bool) -> Result<(), Failure> {
    let standing = (
        markets::revision.eq(market.revision),
        markets::event_hash.eq(&market.event_hash),
        markets::state.eq(market.state),
        markets::updated_at.eq(market.updated_at),
    );
    if is_new {
        let row = (markets::market_id.eq(&market.market_id), standing);
        diesel::insert_into(markets::table).values(row).execute(conn)?;
    } else {
        diesel::update(markets::table.find(&market.market_id)).set(standing).execute(conn)?;
    }
    Ok(())
}
