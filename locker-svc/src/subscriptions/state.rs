//! The states of a subscription, and which follow which.

shared_model::text_enum! {
    /// The state of a subscription: incomplete → active ↔ past_due → suspended → cancelled.
    pub enum SubscriptionState {
        /// Not yet paid for the first time.
        Incomplete = "incomplete",
        /// Paid.
        Active = "active",
        /// A payment is late; the room still runs.
        PastDue = "past_due",
        /// The room is stopped until it is paid.
        Suspended = "suspended",
        /// Ended.
        Cancelled = "cancelled",
    }
}

impl SubscriptionState {
    /// The states that one change leads to.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Incomplete => &[Self::Active, Self::Cancelled],
            Self::Active => &[Self::PastDue, Self::Cancelled],
            Self::PastDue => &[Self::Active, Self::Suspended, Self::Cancelled],
            Self::Suspended => &[Self::Active, Self::Cancelled],
            Self::Cancelled => &[],
        }
    }

    /// The fewest changes that lead to another state; `None` when none do.
    pub fn changes_to(self, other: Self) -> Option<i64> {
        let mut reached = vec![self];
        for changes in 0.. {
            if reached.contains(&other) {
                return Some(changes);
            }
            let mut further: Vec<_> = reached.iter().flat_map(|state| state.next()).copied().collect();
            further.retain(|state| !reached.contains(state));
            if further.is_empty() {
                break;
            }
            reached.append(&mut further);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::SubscriptionState::{Active, Cancelled, Incomplete, PastDue, Suspended};

    #[test]
    fn what_can_follow_and_after_how_many_changes() {
        for (from, to, changes) in [
            (Incomplete, Incomplete, Some(0)),
            (Incomplete, Active, Some(1)),
            (Incomplete, PastDue, Some(2)),
            (Incomplete, Suspended, Some(3)),
            (Incomplete, Cancelled, Some(1)),
            (Active, PastDue, Some(1)),
            (PastDue, Active, Some(1)),
            (Active, Suspended, Some(2)),
            (Suspended, Active, Some(1)),
            (Suspended, PastDue, Some(2)),
            (Cancelled, Cancelled, Some(0)),
            (Cancelled, Active, None),
            (Active, Incomplete, None),
            (Suspended, Incomplete, None),
        ] {
            assert_eq!(from.changes_to(to), changes, "{from} to {to}");
        }
    }
}
