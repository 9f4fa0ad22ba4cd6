//! A market after its latest event, and the rule for the next event. Markets have no table: the state of a market is its
//! latest row of `events`.

use diesel::{
    prelude::*,
    sql_types::{Array, Text},
};
use serde::Serialize;
use shared_model::{Failure, NextAction, Problem, Refusal, Timestamp};
use shared_runtime::{
    Conn,
    state::db::{columns, prepared},
};
use utoipa::ToSchema;

use crate::{
    codes,
    model::{Event, EventHash, EventKind, MarketId, MarketState},
    tables::events,
};

/// A market after its latest event. The next event has `revision` + 1, and `event_hash` as its `prev_event_hash`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, QueryableByName, Selectable, Serialize, ToSchema)]
#[diesel(table_name = events)]
pub struct Market {
    pub market_id: MarketId,
    /// The revision of the latest event.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The hash of the latest event.
    pub event_hash: EventHash,
    pub state: MarketState,
    /// When the latest event was published.
    #[diesel(column_name = published_at)]
    pub updated_at: Timestamp,
}

impl Market {
    /// The markets among these that have events.
    pub fn find_all(conn: &mut Conn, ids: &[MarketId]) -> Result<Vec<Self>, Failure> {
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
                let found = ids.iter().map(|id| Self::find(conn, *id)).collect::<Result<Vec<_>, _>>()?;
                Ok(found.into_iter().flatten().collect())
            }
        }
    }

    pub fn find(conn: &mut Conn, id: MarketId) -> Result<Option<Self>, Failure> {
        let latest = events::table.filter(events::market_id.eq(id)).order(events::revision.desc());
        Ok(latest.select(columns::<Market>()).first(conn).optional()?)
    }

    /// The market after `event`, which is published now. 409 if the event does not follow the `latest` state; `None` is
    /// a market without events. `href` is the URL of the market.
    pub fn after(
        latest: Option<&Self>,
        event: &Event,
        event_hash: EventHash,
        now: Timestamp,
        href: &str,
    ) -> Result<Self, Refusal> {
        let Event { market_id, kind, revision, prev_event_hash, .. } = event;
        let (next_revision, head) = latest.map_or((1, None), |market| (market.revision + 1, Some(market.event_hash)));
        let refused = if (*revision, *prev_event_hash) != (next_revision, head) {
            revision_conflict(latest, *market_id)
        } else if let Some(state) = MarketState::next(latest.map(|market| market.state), *kind) {
            // `now` is from before the queue: an event that was checked earlier can be appended later. Times in a
            // market never decrease.
            let updated_at = latest.map_or(now, |market| now.max(market.updated_at));
            return Ok(Self { market_id: *market_id, revision: *revision, event_hash, state, updated_at });
        } else {
            state_conflict(latest, *kind)
        };
        let read_again = || NextAction::Refresh { href: href.to_owned(), etag: None };
        // A market without events is 404, so there is nothing to read again. Its refusals name the right values
        // instead.
        Err(if latest.is_some() { refused.next(read_again()) } else { refused })
    }
}

fn revision_conflict(latest: Option<&Market>, market_id: MarketId) -> Refusal {
    let Some(Market { revision, event_hash, .. }) = latest else {
        let message = format!(
            "The market {market_id} has no revision yet; its first event must have revision 1 and prev_event_hash null."
        );
        let problems = [("/event/revision", "must be 1"), ("/event/prev_event_hash", "must be null")];
        return codes::REVISION_CONFLICT.because(message).next(correct(problems));
    };
    codes::REVISION_CONFLICT.because(format!(
        "The market {market_id} is at revision {revision}; the next event must have revision {} and prev_event_hash \
         {event_hash}.",
        revision + 1
    ))
}

fn state_conflict(latest: Option<&Market>, kind: EventKind) -> Refusal {
    let Some(Market { state, .. }) = latest else {
        let message = format!("The first event of a market must be market.listed, not {kind}.");
        let problems = [("/event/kind", "must be market.listed")];
        return codes::MARKET_STATE_CONFLICT.because(message).next(correct(problems));
    };
    codes::MARKET_STATE_CONFLICT.because(format!("A market in state {state} accepts no event of kind {kind}."))
}

fn correct<const N: usize>(problems: [(&str, &str); N]) -> NextAction {
    let problems = problems.map(|(at, rule)| Problem { at: at.to_owned(), rule: rule.to_owned() });
    NextAction::CorrectRequest { problems: problems.into() }
}
