//! `locker-svc subscription set-state`: the next version of a subscription, in another state.

use shared_model::{Error, Timestamp, code};
use shared_runtime::Conn;

use super::{
    state::SubscriptionState,
    store,
    subscription::{Subscription, SubscriptionRecord},
};
use crate::ids::SubscriptionId;

/// A change of state, as the operator asks for it.
#[derive(Clone, Copy, Debug)]
pub struct StateChange {
    /// The subscription.
    pub id: SubscriptionId,
    /// The new state.
    pub state: SubscriptionState,
    /// The version that the operator expects; any, when absent.
    pub seen: Option<i64>,
    /// The month that is paid, when not the usual one.
    pub period: Option<(Timestamp, Timestamp)>,
}

/// Makes the change; the record afterwards. No change when it is in this state already.
pub fn set_state(conn: &mut Conn, change: StateChange, now: Timestamp) -> Result<SubscriptionRecord, Error> {
    let Some(mut record) = store::find(conn, change.id)? else {
        return Err(code::not_found().because(format!("There is no subscription {}.", change.id)).into());
    };
    let present = &record.subscription;
    if let Some(seen) = change.seen
        && seen != present.version
    {
        let sentence = format!("{} is in version {}, not {seen}: look at it again.", change.id, present.version);
        return Err(code::INVALID_REQUEST.because(sentence).into());
    }
    if present.state == change.state && change.period.is_none() {
        return Ok(record);
    }
    if present.state.changes_to(change.state).is_none_or(|changes| changes > 1) {
        return Err(code::INVALID_REQUEST.because(impossible(present.state, change.state)).into());
    }
    record.subscription.follow(&change, now);
    store::replace(conn, &record.subscription)?;
    Ok(record)
}

fn impossible(from: SubscriptionState, to: SubscriptionState) -> String {
    match from.next() {
        [] => format!("Nothing follows {from}: it cannot become {to}."),
        next => {
            let names: Vec<_> = next.iter().map(|state| state.as_str()).collect();
            format!("{to} does not follow {from}; these do: {}.", names.join(", "))
        }
    }
}

impl Subscription {
    fn follow(&mut self, change: &StateChange, now: Timestamp) {
        // An imported record may be a little ahead of this machine's clock.
        let now = now.max(self.updated_at);
        if let Some(period) = change.period.or_else(|| self.new_period(change.state, now)) {
            (self.current_period_start, self.current_period_end) = (Some(period.0), Some(period.1));
        }
        self.cancelled_at = (change.state == SubscriptionState::Cancelled).then(|| self.cancelled_at.unwrap_or(now));
        self.state = change.state;
        self.version += 1;
        self.updated_at = now;
    }

    /// The first payment, and one that ends a suspension, are for the month that begins now; a late payment is for the
    /// month that has begun.
    fn new_period(&self, state: SubscriptionState, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let was_stopped = matches!(self.state, SubscriptionState::Incomplete | SubscriptionState::Suspended);
        (was_stopped && state == SubscriptionState::Active).then(|| (now, now.plus_month()))
    }
}
