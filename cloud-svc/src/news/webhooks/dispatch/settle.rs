//! Records the results of attempts, for the deliveries and for the webhook.

use std::{collections::BTreeSet, time::Duration};

use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::endpoint::FailedAttempt;
use crate::news::webhooks::{
    deliveries::{
        self,
        delivery::DueDelivery,
        store::After::{Failed, HandedBack, Retry},
    },
    message::VERIFICATION,
    store,
    webhook::{Webhook, WebhookState},
};

/// A webhook that fails for longer is disabled.
const FAILING: Duration = Duration::from_secs(5 * 86_400);

#[derive(Clone, Debug)]
pub struct Attempted {
    pub delivery: DueDelivery,
    /// `None` if it was not attempted, or if the service stopped during the attempt.
    pub outcome: Option<Result<(), FailedAttempt>>,
    /// The pause before the next attempt; `None` if there is none.
    pub pause: Option<Duration>,
    pub at: Timestamp,
}

/// Records the results of a batch that was claimed until `lease_end`; returns the new state of the webhook.
pub fn settle(
    conn: &mut Conn,
    mut webhook: Webhook,
    attempted: &[Attempted],
    lease_end: Timestamp,
) -> Result<Webhook, Failure> {
    let taken: Vec<_> = attempted.iter().filter(|attempted| matches!(attempted.outcome, Some(Ok(())))).collect();
    let ids: Vec<i64> = taken.iter().map(|attempted| attempted.delivery.id).collect();
    // One statement for all accepted deliveries, which are most of a batch. Its time is that of the last attempt.
    let delivered = match taken.iter().map(|attempted| attempted.at).max() {
        Some(at) => deliveries::store::delivered(conn, &ids, lease_end, at)?,
        None => BTreeSet::new(),
    };
    // A challenge or event from before a webhook was enabled again says nothing of it.
    let cancelled = store::cancelled(conn, &webhook)?;
    let mut is_touched = false;
    for Attempted { delivery, outcome, pause, at } in attempted {
        let (error, is_final) = match outcome {
            Some(Err(failed)) => (failed.error.to_string(), failed.error.is_final()),
            _ => (String::new(), false),
        };
        // `None`: the endpoint accepted it, and `delivered` has ended the claim.
        let after = match (outcome, pause) {
            (None, _) => Some(HandedBack),
            (Some(Ok(())), _) => None,
            (Some(Err(_)), Some(pause)) if !is_final => Some(Retry(at.plus(*pause), &error)),
            (Some(Err(_)), _) => Some(Failed(&error)),
        };
        let is_ours = match after {
            None => delivered.contains(&delivery.id),
            Some(after) => deliveries::store::settle(conn, delivery.id, lease_end, after, *at)?,
        };
        // A result that comes after the lease says nothing any more: another attempt may have replaced it.
        let counts = is_ours && cancelled.is_none_or(|which| !which.has(delivery.id));
        if !counts || !matches!(webhook.state, WebhookState::Active | WebhookState::Pending) {
            continue;
        }
        is_touched = true;
        let is_challenge = delivery.kind == VERIFICATION;
        match after {
            Some(HandedBack) => {}
            None if is_challenge => webhook = store::set_active(conn, webhook, *at)?,
            None => webhook = webhook.without_failures(),
            Some(Retry(..) | Failed(_)) => {
                let failing_since = webhook.failing_since.unwrap_or(*at);
                webhook = Webhook {
                    failures: webhook.failures + 1,
                    failing_since: Some(failing_since),
                    last_error: error.clone(),
                    ..webhook
                };
                let has_failed_long = failing_since.plus(FAILING) <= *at;
                if is_final || has_failed_long || is_challenge && matches!(after, Some(Failed(_))) {
                    webhook = store::give_up(conn, webhook, *at)?;
                }
            }
        }
    }
    // Once for the batch, not for each attempt.
    if is_touched {
        store::set_health(conn, &webhook)?;
    }
    Ok(webhook)
}
