//! Imports a subscription from billing: a line `{"owner": "…", "subscription": {…}}` of `locker-svc import`.

use std::cmp::Ordering;

use shared_model::Failure;
use shared_runtime::{Conn, import::LineOutcome};

use super::{
    store,
    subscription::{Subscription, SubscriptionRecord},
};
use crate::rooms;

/// Stores a subscription: a new one, or a higher version in place of the stored one.
pub fn import(conn: &mut Conn, incoming: &SubscriptionRecord) -> Result<LineOutcome, Failure> {
    let SubscriptionRecord { owner, subscription } = incoming;
    let stored = store::find(conn, subscription.id)?;
    let mut problems = Vec::new();
    if let Some(stored) = &stored {
        if stored == incoming {
            return Ok(LineOutcome::Unchanged);
        }
        problems = incoming.contradictions(stored);
    }
    let room_owner = rooms::find_owner(conn, subscription.room_id)?;
    if room_owner.as_ref().is_some_and(|other| other != owner) {
        problems.push("/subscription/room_id is another owner's room".to_owned());
    }
    if !problems.is_empty() {
        return Ok(LineOutcome::Refused(problems.join("; ")));
    }
    // A placeholder keeps the owner: a later room of somebody else with this id is refused.
    if room_owner.is_none() {
        rooms::insert_placeholder(conn, subscription.room_id, owner)?;
    }
    if stored.is_some() {
        store::replace(conn, subscription)?;
        Ok(LineOutcome::Replaced)
    } else {
        store::insert(conn, incoming)?;
        Ok(LineOutcome::Added)
    }
}

impl SubscriptionRecord {
    /// Why this record cannot replace the stored one.
    fn contradictions(&self, stored: &Self) -> Vec<String> {
        let (next, present) = (&self.subscription, &stored.subscription);
        let mut problems = Vec::new();
        if self.owner != stored.owner {
            problems.push("/owner never changes".to_owned());
        }
        if next.created_at != present.created_at {
            problems.push("/subscription/created_at never changes".to_owned());
        }
        let known = present.version;
        match next.version.cmp(&known) {
            Ordering::Less => problems.push(format!("/subscription/version is stale: {known} is recorded")),
            Ordering::Equal => problems.push(format!(
                "/subscription/version must be higher than {known}, which is recorded with other content"
            )),
            Ordering::Greater => problems.extend(present.transition_problem(next)),
        }
        problems
    }
}

impl Subscription {
    // A version is one change, but a file may skip versions. So a state is possible if enough versions lie between.
    fn transition_problem(&self, next: &Self) -> Option<String> {
        let (from, to) = (self.state, next.state);
        match from.changes_to(to) {
            None => Some(format!("/subscription/state must not be {to}: that never follows {from}")),
            Some(changes) if changes > next.version - self.version => {
                Some(format!("/subscription/state must not be {to}: that takes {changes} versions after {from}"))
            }
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use shared_model::{Currency, FromJson as _, Problem, Timestamp};
    use shared_runtime::import::parse_line as line_of;

    use super::*;
    use crate::{
        ids::{OrderId, RoomId, SubscriptionId},
        subscriptions::SubscriptionState,
    };

    fn sample() -> Value {
        json!({"owner": "ada", "subscription": {
            "id": format!("sub_{}", "1".repeat(32)), "room_id": format!("room_{}", "2".repeat(32)),
            "state": "active", "version": 3, "sku": "room-s", "currency": "GBP",
            "monthly_pence": 2500, "setup_pence": 0,
            "current_period_start": "2026-11-01T00:00:00Z", "current_period_end": "2026-12-01T00:00:00Z",
            "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
        }})
    }

    fn parse_line(line: &[u8]) -> Result<SubscriptionRecord, Vec<Problem>> {
        line_of(line, SubscriptionRecord::from_json)
    }

    fn parse(value: &Value) -> Result<SubscriptionRecord, Vec<Problem>> {
        parse_line(value.to_string().as_bytes())
    }

    #[test]
    fn contradictions_are_refused() {
        for (member, value) in [
            ("current_period_end", json!(null)),
            ("current_period_end", json!("2026-11-01T00:00:00Z")),
            ("cancelled_at", json!("2026-11-05T00:00:00Z")),
            ("state", json!("cancelled")),
            ("created_at", json!("2026-11-02T00:00:00Z")),
        ] {
            let mut line = sample();
            line["subscription"][member] = value;
            assert_eq!(parse(&line).expect_err("a contradiction").len(), 1, "{line}");
        }
    }

    #[test]
    fn every_problem_of_a_line_is_listed_with_its_pointer() {
        let mut line = sample();
        line["owner"] = json!("");
        line["subscription"]["id"] = json!("sub_1");
        line["subscription"]["version"] = json!(0);
        line["subscription"]["plan"] = json!("gold");
        let places: Vec<_> = parse(&line).expect_err("four problems").into_iter().map(|problem| problem.at).collect();
        assert_eq!(places, ["/owner", "/subscription/id", "/subscription/version", "/subscription/plan"]);
    }

    prop_compose! {
        fn subscriptions()(
            id in any::<[u8; 16]>(),
            room in any::<[u8; 16]>(),
            order in proptest::option::of(any::<[u8; 16]>()),
            state in proptest::sample::select(SubscriptionState::ALL),
            version in 1..=9_007_199_254_740_991_i64,
            pence in 0..=9_007_199_254_740_991_i64,
            created in 0..=253_402_300_799_999_998_i64,
            has_period in any::<bool>(),
        ) -> Subscription {
            let created_at = Timestamp::from_micros(created);
            let later = Timestamp::from_micros(created + 1);
            Subscription {
                id: SubscriptionId::from_bytes(id),
                room_id: RoomId::from_bytes(room),
                state: state.1,
                version,
                sku: "room-s".to_owned(),
                currency: Currency::Gbp,
                monthly_pence: pence,
                setup_pence: pence,
                current_period_start: has_period.then_some(created_at),
                current_period_end: has_period.then_some(later),
                cancelled_at: (state.1 == SubscriptionState::Cancelled).then_some(later),
                order_id: order.map(OrderId::from_bytes),
                created_at,
                updated_at: later,
            }
        }
    }

    proptest! {
        #[test]
        fn a_listed_subscription_can_be_imported_again(subscription in subscriptions(), owner in "[a-z|@.]{1,30}") {
            let line = json!({"owner": owner, "subscription": subscription});
            prop_assert_eq!(parse(&line), Ok(SubscriptionRecord { owner, subscription }));
        }

        #[test]
        fn arbitrary_bytes_never_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(parse_line(&line).is_err());
        }

        #[test]
        fn a_line_cut_short_is_refused_and_never_panics(cut in 0.0..1.0_f64) {
            let line = sample().to_string();
            let end = (line.len() as f64 * cut) as usize;
            prop_assert!(parse_line(&line.as_bytes()[..end]).is_err());
        }
    }
}
