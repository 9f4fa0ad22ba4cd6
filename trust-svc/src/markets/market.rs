//! A market after its latest event, and which event may follow.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{NextAction, Problem, Refusal, Timestamp};
use utoipa::ToSchema;

use crate::{
    canonical::EventHash,
    codes,
    events::{Event, EventKind, MarketId},
    schema::events,
};

shared_model::text_enum! {
    /// Where a market stands.
    pub enum MarketState {
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

/// Where a market stands after its latest event. The next event has `revision` + 1, and `event_hash` as its
/// `prev_event_hash`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, QueryableByName, Selectable, Serialize, ToSchema)]
#[diesel(table_name = events)]
pub struct Market {
    /// Its id.
    pub market_id: MarketId,
    /// The revision of its latest event.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The hash of its latest event.
    pub event_hash: EventHash,
    /// Its state.
    pub state: MarketState,
    /// When its latest event was published.
    #[diesel(column_name = published_at)]
    pub updated_at: Timestamp,
}

impl Market {
    /// The market after `event`, which is published now; 409 when the event does not follow the latest one (`None`: the
    /// market has no events). `href` is where to read the market.
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
        } else if let Some(state) = next_state(latest.map(|market| market.state), *kind) {
            // Publishers wait for their turns: the time of an earlier one may be the later one.
            let updated_at = latest.map_or(now, |market| now.max(market.updated_at));
            return Ok(Self { market_id: *market_id, revision: *revision, event_hash, state, updated_at });
        } else {
            state_conflict(latest, *kind)
        };
        let read_again = || NextAction::Refresh { href: href.to_owned(), etag: None };
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
    codes::MARKET_STATE_CONFLICT.because(format!("A market that is {state} admits no event of kind {kind}."))
}

fn correct<const N: usize>(problems: [(&str, &str); N]) -> NextAction {
    let problems = problems.map(|(at, rule)| Problem { at: at.to_owned(), rule: rule.to_owned() });
    NextAction::CorrectRequest { problems: problems.into() }
}

/// The state after an event of this kind, if the state before admits one.
fn next_state(state: Option<MarketState>, kind: EventKind) -> Option<MarketState> {
    use MarketState::{Listed, Suspended};
    let is_admitted = matches!(
        (state, kind),
        (None, EventKind::Listed)
            | (Some(Listed), EventKind::Updated | EventKind::Suspended)
            | (Some(Suspended), EventKind::Resumed)
            | (Some(Listed | Suspended), EventKind::Resolved | EventKind::Withdrawn)
    );
    is_admitted.then(|| state_after(kind))
}

/// The state that an event of this kind leads to.
pub fn state_after(kind: EventKind) -> MarketState {
    match kind {
        EventKind::Listed | EventKind::Updated | EventKind::Resumed => MarketState::Listed,
        EventKind::Suspended => MarketState::Suspended,
        EventKind::Resolved => MarketState::Resolved,
        EventKind::Withdrawn => MarketState::Withdrawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_begins_listed_and_ends_resolved_or_withdrawn() {
        let kinds = EventKind::ALL.iter().map(|(_, kind)| *kind);
        let row =
            |state| kinds.clone().map(|kind| next_state(state, kind).map_or("-", |state| state.as_str())).collect();
        let table: [Vec<_>; 5] = [
            row(None),
            row(Some(MarketState::Listed)),
            row(Some(MarketState::Suspended)),
            row(Some(MarketState::Resolved)),
            row(Some(MarketState::Withdrawn)),
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
