//! The states of a subscription, and the transitions between them.

shared_model::text_enum! {
    /// The state of a subscription: incomplete → active ↔ past_due → suspended → cancelled.
    pub enum SubscriptionState {
        Incomplete = "incomplete",
        Active = "active",
        /// A payment is late. The room still runs.
        PastDue = "past_due",
        /// The room is stopped until it is paid for.
        Suspended = "suspended",
        Cancelled = "cancelled",
    }
}

impl SubscriptionState {
    /// The states that can follow directly.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Incomplete => &[Self::Active, Self::Cancelled],
            Self::Active => &[Self::PastDue, Self::Cancelled],
            Self::PastDue => &[Self::Active, Self::Suspended, Self::Cancelled],
            Self::Suspended => &[Self::Active, Self::Cancelled],
            Self::Cancelled => &[],
        }
    }

    /// The smallest number of changes that lead to another state. `None` when it is unreachable.
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
    fn a_state_is_reached_after_the_smallest_number_of_changes() {
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
