//! The task of one endpoint: sends batch after batch as long as deliveries are due.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use shared_model::Error;
use shared_runtime::{
    Context,
    base::{failpoint, telemetry::Stopwatch},
    state::outbound::ConnectionPool,
};
use tokio::{sync::watch, time::Instant};

use super::{
    batch::{self, Batch, Done},
    endpoint::{AttemptError, Endpoint, FailedAttempt, Timeouts},
    enqueue::Enqueuer,
    measures::DeliveryMeasures,
    schedule,
    settle::Attempted,
};
use crate::{
    base::ids::{WebhookId, WorkspaceId},
    news::webhooks::{deliveries::delivery::DueDelivery, signing_secret::Secrets},
};

/// Parallel attempts at one endpoint.
const PARALLEL: usize = 8;
// Later attempts of a batch might not end before the lease of its claim.
const START_DEADLINE: Duration = Duration::from_secs(15);
// With a longer turn, a slow endpoint would block its place for others.
const TURN: Duration = Duration::from_secs(15);

#[derive(Clone)]
pub struct Sender {
    context: Context,
    enqueuer: Enqueuer,
    secrets: Secrets,
    measures: DeliveryMeasures,
    stopped: watch::Receiver<bool>,
}

impl Sender {
    /// `stopped` ends all tasks.
    pub fn new(context: Context, measures: DeliveryMeasures, stopped: watch::Receiver<bool>) -> Self {
        let (enqueuer, secrets) = (Enqueuer::from_context(&context), Secrets::from_context(&context));
        Self { context, enqueuer, secrets, measures, stopped }
    }

    /// Sends what is due to a webhook. Returns true if no work is left; otherwise the next poll should look again.
    pub async fn work(&self, webhook: WebhookId, workspace: WorkspaceId) -> bool {
        failpoint::hang("webhooks::work").await;
        // As long as the task runs, its deliveries share connections.
        let connections = ConnectionPool::new(self.context.outbound.clone());
        let mut done = Done::default();
        let until = Instant::now() + TURN;
        loop {
            // An endpoint that accepts nothing gives up its place to others, and so does one that has had its turn.
            let gives_up = done.is_in_vain() || Instant::now() >= until;
            let is_last = gives_up || *self.stopped.borrow();
            let batch = match self.next(webhook, workspace, done, is_last).await {
                Ok(Some(batch)) => batch,
                Ok(None) => return !gives_up,
                Err(error) => {
                    // The deliveries are sent again after the lease, with the same ids.
                    if !error.is_already_logged() {
                        tracing::warn!(?error, %webhook, "the results of deliveries were not recorded");
                    }
                    return false;
                }
            };
            done = self.send(batch, &connections).await;
        }
    }

    async fn next(
        &self,
        webhook: WebhookId,
        workspace: WorkspaceId,
        done: Done,
        is_last: bool,
    ) -> Result<Option<Batch>, Error> {
        let (enqueuer, now) = (self.enqueuer.clone(), self.context.clock.now());
        let next = move |conn: &mut _| Ok(batch::next(conn, webhook, &done, &enqueuer, now, is_last)?);
        self.context.db.write_in(workspace.lane(), next).await
    }

    async fn send(&self, Batch { webhook, due, lease_end }: Batch, connections: &ConnectionPool) -> Done {
        let lease_end = Some(lease_end);
        let Some(signer) = self.secrets.signer(&webhook, self.context.clock.now()) else {
            return Done { attempted: self.unsigned(webhook.id, due), lease_end };
        };
        let endpoint = Endpoint { connections, signer, url: webhook.url, challenge: webhook.challenge };
        let until = Instant::now() + START_DEADLINE;
        let attempts = due.into_iter().map(|delivery| self.attempt(&endpoint, delivery, until));
        let attempted = stream::iter(attempts).buffer_unordered(PARALLEL).collect().await;
        Done { attempted, lease_end }
    }

    /// The first delivery of a batch that cannot be signed, as a failed attempt. It disables the webhook, which cancels
    /// the others.
    fn unsigned(&self, webhook: WebhookId, due: Vec<DueDelivery>) -> Vec<Attempted> {
        let first = due.into_iter().next();
        let fail = |delivery| {
            tracing::error!(%webhook, "the secret of a webhook cannot be read: the webhook is disabled");
            let failed = Err(FailedAttempt { error: AttemptError::SecretUnreadable, retry_after: None });
            self.measures.ended(&failed, &Stopwatch::start());
            Attempted { delivery, outcome: Some(failed), pause: None, at: self.context.clock.now() }
        };
        first.map(fail).into_iter().collect()
    }

    /// No outcome if `until` has passed, or if the service stops meanwhile.
    async fn attempt(&self, endpoint: &Endpoint<'_>, delivery: DueDelivery, until: Instant) -> Attempted {
        let mut stopped = self.stopped.clone();
        let outcome = if Instant::now() >= until {
            None
        } else {
            let started = Stopwatch::start();
            let second = self.context.clock.now().seconds();
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => None,
                outcome = endpoint.attempt(&delivery, second, Timeouts::with(&delivery.kind)) => {
                    self.measures.ended(&outcome, &started);
                    Some(outcome)
                }
            }
        };
        let pause = match &outcome {
            Some(Err(failed)) => {
                schedule::pause(&delivery.kind, delivery.attempts + 1, failed.retry_after, &self.context.random)
            }
            _ => None,
        };
        Attempted { delivery, outcome, pause, at: self.context.clock.now() }
    }
}
