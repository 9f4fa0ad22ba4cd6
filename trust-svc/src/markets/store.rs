//! Where markets stand: a market is its latest event.

use diesel::{
    prelude::*,
    sql_types::{Array, Text},
};
use shared_model::Failure;
use shared_runtime::{
    Conn,
    state::db::{columns, prepared},
};

use super::Market;
use crate::{events::MarketId, schema::events};

/// Those of these markets that have events.
pub fn find_all(conn: &mut Conn, ids: &[MarketId]) -> Result<Vec<Market>, Failure> {
    match conn {
        // In one round trip; the lateral query reads one event of each market, however many it has.
        Conn::Postgres(conn) => {
            let latest = "SELECT latest.* FROM unnest($1) AS wanted (id) CROSS JOIN LATERAL (SELECT market_id, revision, \
                          event_hash, state, published_at FROM events WHERE market_id = wanted.id ORDER BY revision DESC \
                          LIMIT 1) AS latest";
            let ids: Vec<_> = ids.iter().map(MarketId::as_str).collect();
            Ok(prepared(diesel::sql_query(latest).bind::<Array<Text>, _>(ids)).load(conn)?)
        }
        Conn::Sqlite(_) => {
            let found = ids.iter().map(|id| find(conn, *id)).collect::<Result<Vec<_>, _>>()?;
            Ok(found.into_iter().flatten().collect())
        }
    }
}

/// The market of this id, if it has events.
pub fn find(conn: &mut Conn, id: MarketId) -> Result<Option<Market>, Failure> {
    let latest = events::table.filter(events::market_id.eq(id)).order(events::revision.desc());
    Ok(latest.select(columns::<Market>()).first(conn).optional()?)
}
