//! Moves an order from one state to another, with everything that changes with it.

use std::fmt;

use shared_model::{Timestamp, rule::VERSION_MAX};

use super::{
    order::{Order, PaymentStatus, TimelineStep},
    state::OrderState,
};
use crate::ids::{RoomId, SubscriptionId};

#[derive(Clone, Debug, Default)]
pub struct MoveDetails {
    /// The reason; the owner sees it.
    pub note: Option<String>,
    pub reference: Option<String>,
    pub subscription_id: Option<SubscriptionId>,
    pub room_id: Option<RoomId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    from: OrderState,
    to: OrderState,
    pub allowed: Vec<OrderState>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, allowed } = self;
        let names: Vec<_> = allowed.iter().map(|state| state.as_str()).collect();
        match names.as_slice() {
            [] => write!(f, "an order that is {from} cannot become {to}: no further change is possible"),
            names => write!(f, "an order that is {from} cannot become {to}; it can become: {}", names.join(", ")),
        }
    }
}

impl std::error::Error for IllegalMove {}

impl Order {
    // An unpaid order cannot be refunded. After the last version number that JSON can hold there is no next version.
    pub fn allowed_states(&self) -> Vec<OrderState> {
        if self.version >= VERSION_MAX {
            return Vec::new();
        }
        let is_allowed = |state: &&OrderState| **state != OrderState::Refunded || self.amounts.paid_minor > 0;
        self.state.followers().iter().filter(is_allowed).copied().collect()
    }

    /// The next version of the order, in the state `to`, with a new step in its timeline.
    pub fn in_state(mut self, to: OrderState, change: MoveDetails, at: Timestamp) -> Result<Self, IllegalMove> {
        let allowed = self.allowed_states();
        if !allowed.contains(&to) {
            return Err(IllegalMove { from: self.state, to, allowed });
        }
        // An imported order may be dated ahead of this clock. Its timeline must stay sorted by time.
        let at = at.max(self.updated_at);
        match to {
            OrderState::Placed => self.placed_at = Some(at),
            OrderState::Paid => {
                self.amounts.paid_minor = self.amounts.total_minor;
                self.payment.status = PaymentStatus::Paid;
            }
            OrderState::Refunded => {
                self.amounts.refunded_minor = self.amounts.paid_minor;
                self.payment.status = PaymentStatus::Refunded;
            }
            OrderState::Completed => self.completed_at = Some(at),
            OrderState::Cancelled => self.cancelled_at = Some(at),
            _ => {}
        }
        if change.reference.is_some() {
            self.payment.reference = change.reference;
        }
        self.subscription_id = change.subscription_id.or(self.subscription_id);
        self.room_id = change.room_id.or(self.room_id);
        self.state = to;
        self.version += 1;
        self.updated_at = at;
        self.amounts.due_minor = self.amounts.due(to.is_void());
        self.timeline.push(TimelineStep { state: to, at, note: change.note });
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::{prelude::*, sample::Index};
    use shared_model::{Currency, json_column::Json};

    use super::super::{
        amounts::Amounts,
        order::{OrderLine, Payment},
    };
    use super::*;
    use crate::ids::OrderId;

    const START: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn draft(unit_minor: i64) -> Order {
        let lines = vec![OrderLine {
            id: None,
            sku: "room-s".to_owned(),
            name: "Small room".to_owned(),
            quantity: 1,
            unit_minor,
            total_minor: unit_minor,
        }];
        Order {
            id: OrderId::from_bytes([1; 16]),
            number: "FF-1".to_owned(),
            state: OrderState::Draft,
            version: 1,
            currency: Currency::Gbp,
            amounts: Amounts::unpaid(Some(unit_minor), 0, 0).expect("a sum"),
            lines: Json(lines),
            payment: Json(Payment { method: "card".to_owned(), status: PaymentStatus::Unpaid, reference: None }),
            subscription_id: None,
            room_id: None,
            placed_at: None,
            updated_at: START,
            completed_at: None,
            cancelled_at: None,
            timeline: Json(vec![TimelineStep { state: OrderState::Draft, at: START, note: None }]),
        }
    }

    proptest! {
        #[test]
        fn an_order_stays_consistent_on_every_path(
            unit_minor in 0..=10_000_i64,
            path in proptest::collection::vec((any::<Index>(), 0..100_u64), 0..12),
        ) {
            let mut order = draft(unit_minor);
            let mut at = START;
            for (choice, pause) in path {
                let before = order.clone();
                let (_, to) = choice.get(OrderState::ALL);
                at = at.plus(Duration::from_secs(pause));
                match order.clone().in_state(*to, MoveDetails::default(), at) {
                    Ok(moved) => {
                        prop_assert_eq!(moved.contradictions(), Vec::<&str>::new());
                        prop_assert_eq!(moved.version, before.version + 1);
                        prop_assert_eq!(&moved.timeline[..before.timeline.len()], &before.timeline[..]);
                        prop_assert_eq!(moved.timeline.len(), before.timeline.len() + 1);
                        order = moved;
                    }
                    Err(illegal) => {
                        prop_assert!(!illegal.allowed.contains(to));
                        prop_assert_eq!(illegal.allowed, before.allowed_states());
                    }
                }
            }
        }
    }

    #[test]
    fn no_state_follows_itself_and_every_path_ends() {
        fn longest(state: OrderState) -> usize {
            state.followers().iter().map(|next| 1 + longest(*next)).max().unwrap_or(0)
        }
        assert!(longest(OrderState::Draft) < OrderState::ALL.len());
    }

    #[test]
    fn a_refusal_names_the_states_that_are_allowed() {
        let illegal = draft(100).in_state(OrderState::Paid, MoveDetails::default(), START).expect_err("not placed yet");
        assert_eq!(illegal.to_string(), "an order that is draft cannot become paid; it can become: placed");
        let placed = draft(100).in_state(OrderState::Placed, MoveDetails::default(), START).expect("placed");
        let cancelled = placed.in_state(OrderState::Cancelled, MoveDetails::default(), START).expect("called off");
        let illegal = cancelled.in_state(OrderState::Refunded, MoveDetails::default(), START).expect_err("never paid");
        assert_eq!(
            illegal.to_string(),
            "an order that is cancelled cannot become refunded: no further change is possible"
        );
    }
}
