//! A market after its latest event, and which event may follow.

use diesel::Queryable;
use shared_model::Timestamp;

use crate::{
    canonical::EventHash,
    events::{Event, Kind, view::Published},
};

shared_model::hex_ids! {
    /// A market.
    pub struct MarketId = "mkt";
}

shared_model::text_enum! {
    /// Where a market stands.
    pub enum State {
        /// Open.
        Listed = "listed",
        /// Closed for a while.
        Suspended = "suspended",
        /// Over, with an outcome.
        Resolved = "resolved",
        /// Over, taken back.
        Withdrawn = "withdrawn",
    }
}

/// A market after its latest event.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Market {
    /// Its id.
    pub market_id: MarketId,
    /// The revision of its latest event.
    pub revision: i64,
    /// The hash of its latest event.
    pub event_hash: EventHash,
    /// Its state after it.
    pub state: State,
    /// When that was published.
    pub updated_at: Timestamp,
}

/// Why an event does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It names another revision, or another event before it, than the market's.
    Revision,
    /// The market's state does not admit its kind.
    State,
}

impl Market {
    /// The market after this event.
    pub fn after(event: &Published) -> Self {
        let Published { market_id, revision, event_hash, state, published_at, .. } = event;
        Self {
            market_id: *market_id,
            revision: *revision,
            event_hash: *event_hash,
            state: *state,
            updated_at: *published_at,
        }
    }
}

/// The state after `event`, if it follows the market as it is; `None` is a market without events.
pub fn follow(market: Option<&Market>, event: &Event) -> Result<State, Misfit> {
    let revision = market.map_or(0, |market| market.revision);
    let head = market.map(|market| market.event_hash);
    if event.revision != revision + 1 || event.prev_event_hash != head {
        return Err(Misfit::Revision);
    }
    after(market.map(|market| market.state), event.kind).ok_or(Misfit::State)
}

/// The table of states.
fn after(state: Option<State>, kind: Kind) -> Option<State> {
    match (state, kind) {
        (None, Kind::Listed) | (Some(State::Listed), Kind::Updated) | (Some(State::Suspended), Kind::Resumed) => {
            Some(State::Listed)
        }
        (Some(State::Listed), Kind::Suspended) => Some(State::Suspended),
        (Some(State::Listed | State::Suspended), Kind::Resolved) => Some(State::Resolved),
        (Some(State::Listed | State::Suspended), Kind::Withdrawn) => Some(State::Withdrawn),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_begins_listed_and_ends_resolved_or_withdrawn() {
        let kinds = Kind::ALL.iter().map(|(_, kind)| *kind);
        let row = |state| kinds.clone().map(|kind| after(state, kind).map_or("-", |state| state.as_str())).collect();
        let table: [Vec<_>; 5] = [
            row(None),
            row(Some(State::Listed)),
            row(Some(State::Suspended)),
            row(Some(State::Resolved)),
            row(Some(State::Withdrawn)),
        ];
        #[rustfmt::skip]
        assert_eq!(table, [
            // listed  updated   suspended    resumed   resolved    withdrawn
            ["listed", "-",      "-",         "-",      "-",        "-"],
            ["-",      "listed", "suspended", "-",      "resolved", "withdrawn"],
            ["-",      "-",      "-",         "listed", "resolved", "withdrawn"],
            ["-",      "-",      "-",         "-",      "-",        "-"],
            ["-",      "-",      "-",         "-",      "-",        "-"],
        ]);
    }
}
