//! The table of markets.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;

use super::Market;
use crate::{events::MarketId, schema::markets};

/// The market of this id, if it has events.
pub fn find(conn: &mut Conn, id: MarketId) -> Result<Option<Market>, Failure> {
    Ok(markets::table.find(id).first(conn).optional()?)
}

/// Stores a market after its latest event.
pub fn put(conn: &mut Conn, market: &Market, is_new: bool) -> Result<(), Failure> {
    if is_new {
        diesel::insert_into(markets::table).values(market).execute(conn)?;
    } else {
        diesel::update(markets::table.find(market.market_id)).set(market).execute(conn)?;
    }
    Ok(())
}
