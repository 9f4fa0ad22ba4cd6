//! The states of a market, and the event that leads from one to the next.

use super::EventKind;

shared_model::text_enum! {
    /// The state of a market.
    pub enum MarketState {
        /// Open.
        Listed = "listed",
        /// Closed for a while.
        Suspended = "suspended",
        /// Ended with an outcome.
        Resolved = "resolved",
        /// Ended without an outcome.
        Withdrawn = "withdrawn",
    }
}

impl MarketState {
    /// The state after an event of this kind. `None` if a market in `state` does not accept the event. A market without
    /// events has no state.
    pub fn next(state: Option<Self>, kind: EventKind) -> Option<Self> {
        let is_accepted = matches!(
            (state, kind),
            (None, EventKind::Listed)
                | (Some(Self::Listed), EventKind::Updated | EventKind::Suspended)
                | (Some(Self::Suspended), EventKind::Resumed)
                | (Some(Self::Listed | Self::Suspended), EventKind::Resolved | EventKind::Withdrawn)
        );
        is_accepted.then(|| Self::after(kind))
    }

    /// The state that an accepted event of this kind leads to.
    pub fn after(kind: EventKind) -> Self {
        match kind {
            EventKind::Listed | EventKind::Updated | EventKind::Resumed => Self::Listed,
            EventKind::Suspended => Self::Suspended,
            EventKind::Resolved => Self::Resolved,
            EventKind::Withdrawn => Self::Withdrawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_begins_listed_and_ends_resolved_or_withdrawn() {
        let kinds = EventKind::ALL.iter().map(|(_, kind)| *kind);
        let row = |state| {
            let next = |kind| MarketState::next(state, kind).map_or("-", |state| state.as_str());
            kinds.clone().map(next).collect()
        };
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
