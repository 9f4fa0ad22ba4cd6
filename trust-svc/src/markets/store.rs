//! Markets have no table: the state of a market is its latest row of `events`.

use diesel::{
    prelude::*,
    sql_types::{Array, Text},
};
use shared_model::Failure;
use shared_runtime::{
    Conn,
    state::db::{columns, prepared},
};

use super::{ChainedEvent, Market};
use crate::{model::MarketId, tables::events};

/// The markets among these that have events.
pub fn find_all(conn: &mut Conn, ids: &[MarketId]) -> Result<Vec<Market>, Failure> {
    match conn {
        // One round trip for the whole batch. The lateral query reads one row per market through the index; `DISTINCT
        // ON` or `GROUP BY` would read every event of each market.
        Conn::Postgres(conn) => {
            let latest = "SELECT latest.* FROM unnest($1) AS wanted (id) CROSS JOIN LATERAL (SELECT market_id, revision, \
                          event_hash, state, published_at FROM events WHERE market_id = wanted.id ORDER BY revision DESC \
                          LIMIT 1) AS latest";
            let ids: Vec<_> = ids.iter().map(MarketId::as_str).collect();
            Ok(prepared(diesel::sql_query(latest).bind::<Array<Text>, _>(ids)).load(conn)?)
        }
        // SQLite has no lateral queries, and no round trips to save.
        Conn::Sqlite(_) => {
            let found = ids.iter().map(|id| find(conn, *id)).collect::<Result<Vec<_>, _>>()?;
            Ok(found.into_iter().flatten().collect())
        }
    }
}

pub fn find(conn: &mut Conn, id: MarketId) -> Result<Option<Market>, Failure> {
    let latest = events::table.filter(events::market_id.eq(id)).order(events::revision.desc());
    Ok(latest.select(columns::<Market>()).first(conn).optional()?)
}

/// At most `limit` events of a market after this revision, in their order.
pub fn events_after(conn: &mut Conn, id: MarketId, after: i64, limit: i64) -> Result<Vec<ChainedEvent>, Failure> {
    let chain = events::table.filter(events::market_id.eq(id)).filter(events::revision.gt(after));
    Ok(chain.order(events::revision).limit(limit).select(columns::<ChainedEvent>()).load(conn)?)
}
