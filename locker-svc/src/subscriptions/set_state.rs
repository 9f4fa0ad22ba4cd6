//! `locker-svc subscription set-state`: stores the next version of a subscription, in another state.

use shared_model::{Error, Timestamp, code};
use shared_runtime::Conn;

use super::{
    state::SubscriptionState,
    store,
    subscription::{Subscription, SubscriptionRecord},
};
use crate::ids::SubscriptionId;

#[derive(Clone, Copy, Debug)]
pub struct StateChange {
    pub id: SubscriptionId,
    pub state: SubscriptionState,
    /// The version that must be stored now. `None`: any version.
    pub expected_version: Option<i64>,
    /// The paid month, if not the usual one.
    pub period: Option<(Timestamp, Timestamp)>,
}

/// Makes the change and returns the new record. Changes nothing when the subscription already has this state and period.
pub fn set_state(conn: &mut Conn, change: StateChange, now: Timestamp) -> Result<SubscriptionRecord, Error> {
    let Some(mut record) = store::find(conn, change.id)? else {
        return Err(code::not_found().because(format!("There is no subscription {}.", change.id)).into());
    };
    let present = &record.subscription;
    if let Some(expected) = change.expected_version
        && expected != present.version
    {
        let sentence = format!("{} is in version {}, not {expected}: read it again.", change.id, present.version);
        return Err(code::INVALID_REQUEST.because(sentence).into());
    }
    let stored_period = present.current_period_start.zip(present.current_period_end);
    if present.state == change.state && change.period.is_none_or(|period| stored_period == Some(period)) {
        return Ok(record);
    }
    if present.state.next().is_empty() || present.state.changes_to(change.state).is_none_or(|changes| changes > 1) {
        return Err(code::INVALID_REQUEST.because(transition_message(present.state, change.state)).into());
    }
    record.subscription.apply(&change, now);
    store::replace(conn, &record.subscription)?;
    Ok(record)
}

fn transition_message(from: SubscriptionState, to: SubscriptionState) -> String {
    match from.next() {
        [] => format!("{from} is a final state and never changes."),
        next => {
            let names: Vec<_> = next.iter().map(|state| state.as_str()).collect();
            format!("{from} cannot become {to}. Possible states: {}.", names.join(", "))
        }
    }
}

impl Subscription {
    fn apply(&mut self, change: &StateChange, now: Timestamp) {
        // The clock of billing may be ahead of this machine's; time must not go backwards.
        let now = now.max(self.updated_at);
        if let Some(period) = change.period.or_else(|| self.new_period(change.state, now)) {
            (self.current_period_start, self.current_period_end) = (Some(period.0), Some(period.1));
        }
        self.cancelled_at = (change.state == SubscriptionState::Cancelled).then(|| self.cancelled_at.unwrap_or(now));
        self.state = change.state;
        self.version += 1;
        self.updated_at = now;
    }

    // After the first payment, or after a suspension, the paid month begins now. A late payment pays for the month
    // that has already begun.
    fn new_period(&self, state: SubscriptionState, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let was_stopped = matches!(self.state, SubscriptionState::Incomplete | SubscriptionState::Suspended);
        (was_stopped && state == SubscriptionState::Active).then(|| (now, now.plus_month()))
    }
}
