//! The one transaction of an endpoint's task. It records the results of the last batch, makes deliveries of new
//! changes, and claims the next batch.

use std::time::Duration;

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, identity::grants};

use super::{
    enqueue::Enqueuer,
    settle::{Attempted, settle},
};
use crate::{
    base::{
        ids::{FileId, WebhookId},
        owner::Owner,
    },
    news::webhooks::{
        deliveries::{self, delivery::DueDelivery},
        message, store,
        sweep::UNUSED_GRANT,
        webhook::{Webhook, WebhookState},
    },
    workspace::limits,
};

const BATCH: i64 = 64;
// Longer than a batch takes: it starts attempts for 15 s and waits at most 15 s for the last of them.
const LEASE: Duration = Duration::from_secs(45);

/// The results of a batch.
#[derive(Clone, Debug, Default)]
pub struct Done {
    pub attempted: Vec<Attempted>,
    pub lease_end: Option<Timestamp>,
}

impl Done {
    /// Whether the endpoint accepted no delivery of the batch.
    pub fn is_in_vain(&self) -> bool {
        let is_taken = |attempted: &Attempted| matches!(attempted.outcome, Some(Ok(())));
        self.lease_end.is_some() && !self.attempted.is_empty() && !self.attempted.iter().any(is_taken)
    }
}

#[derive(Clone, Debug)]
pub struct Batch {
    pub webhook: Webhook,
    pub due: Vec<DueDelivery>,
    pub lease_end: Timestamp,
}

/// Ends a batch and claims the next, unless `is_last`. `None` if no work is left now.
pub fn next(
    conn: &mut Conn,
    id: WebhookId,
    done: &Done,
    enqueuer: &Enqueuer,
    now: Timestamp,
    is_last: bool,
) -> Result<Option<Batch>, Failure> {
    let Some(mut webhook) = store::any(conn, id)? else { return Ok(None) };
    if let Some(lease_end) = done.lease_end {
        webhook = settle(conn, webhook, &done.attempted, lease_end)?;
    }
    if is_last || !matches!(webhook.state, WebhookState::Active | WebhookState::Pending) {
        return Ok(None);
    }
    // The sweep revokes it as well, but an endpoint should not receive changes until the sweep runs.
    if grants::has_ended(conn, &webhook.grant_id, now, UNUSED_GRANT)? {
        store::set_revoked(conn, webhook, now)?;
        return Ok(None);
    }
    let lease_end = now.plus(LEASE);
    // Before the challenge of a webhook that was enabled again: what waited before must not be sent.
    if webhook.deliveries_cancelled_at.is_some()
        && store::write_cancelled(conn, &webhook, store::CANCELLED_TOGETHER)? == store::CANCELLED_TOGETHER
    {
        return Ok(Some(Batch { webhook, due: Vec::new(), lease_end }));
    }
    let mut due = deliveries::store::claim(conn, id, now, lease_end, BATCH)?;
    if !due.is_empty() {
        due = visible(conn, &webhook, due, now)?;
        return Ok(Some(Batch { webhook, due, lease_end }));
    }
    if webhook.state == WebhookState::Active {
        let place = webhook.place;
        webhook = enqueuer.advance(conn, webhook, now)?;
        due = deliveries::store::claim(conn, id, now, lease_end, BATCH)?;
        if due.is_empty() && webhook.place != place {
            // The webhook wanted none of these changes; more may follow.
            return Ok(Some(Batch { webhook, due, lease_end }));
        }
    }
    Ok((!due.is_empty()).then_some(Batch { webhook, due, lease_end }))
}

/// Cancels the other deliveries: the limits of an agent may have become narrower since they were made.
fn visible(
    conn: &mut Conn,
    webhook: &Webhook,
    due: Vec<DueDelivery>,
    now: Timestamp,
) -> Result<Vec<DueDelivery>, Failure> {
    let owner = Owner::of_grant(webhook.workspace_id, &webhook.grant_id);
    if !limits::of(conn, owner)?.is_narrow() {
        return Ok(due);
    }
    let files = due.iter().map(|delivery| message::file_of(&delivery.body)).collect::<Result<Vec<_>, _>>()?;
    let allowed = limits::allowed(conn, owner, &files.iter().copied().flatten().collect::<Vec<_>>())?;
    let is_visible = |(delivery, file): &(DueDelivery, Option<FileId>)| {
        matches!(&*delivery.kind, message::VERIFICATION | message::PING) || file.is_some_and(|id| allowed.contains(&id))
    };
    let (visible, hidden): (Vec<_>, Vec<_>) = due.into_iter().zip(files).partition(is_visible);
    let hidden: Vec<i64> = hidden.into_iter().map(|(delivery, _)| delivery.id).collect();
    deliveries::store::cancel(conn, &hidden, now)?;
    Ok(visible.into_iter().map(|(delivery, _)| delivery).collect())
}
