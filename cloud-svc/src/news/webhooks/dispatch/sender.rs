//! The task of one endpoint: batch after batch, a few deliveries of each at a time, for as long as something is due.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use shared_model::{Error, Failure};
use shared_runtime::{
    Context,
    base::{failpoint, telemetry::Stopwatch},
    state::outbound::ConnectionPool,
};
use tokio::{sync::watch, time::Instant};

use super::{
    batch::{self, Batch, Done},
    endpoint::{Endpoint, Timeouts},
    enqueue::Enqueuer,
    measures::DeliveryMeasures,
    schedule,
    settle::Attempted,
};
use crate::{
    base::ids::{WebhookId, WorkspaceId},
    news::webhooks::{deliveries::delivery::DueDelivery, signing_secret::Secrets},
};

/// Deliveries that one endpoint is sent at a time.
const PARALLEL: usize = 8;
/// For how long deliveries of a batch are begun.
const BEGINNING: Duration = Duration::from_secs(15);

/// What the tasks of all endpoints share.
#[derive(Clone)]
pub struct Sender {
    context: Context,
    enqueuer: Enqueuer,
    secrets: Secrets,
    measures: DeliveryMeasures,
    stopped: watch::Receiver<bool>,
}

impl Sender {
    /// Sends until it is told to stop.
    pub fn new(context: Context, measures: DeliveryMeasures, stopped: watch::Receiver<bool>) -> Self {
        let (enqueuer, secrets) = (Enqueuer::from_context(&context), Secrets::of(&context));
        Self { context, enqueuer, secrets, measures, stopped }
    }

    /// Sends what is due to a webhook; whether nothing is left to do now.
    pub async fn work(&self, webhook: WebhookId, workspace: WorkspaceId) -> bool {
        failpoint::hang("webhooks::work").await;
        let connections = ConnectionPool::new(self.context.outbound.clone());
        let mut done = Done::default();
        loop {
            // An endpoint that takes nothing makes room for others, and its next turn comes.
            let is_last = *self.stopped.borrow() || done.is_in_vain();
            let batch = match self.next(webhook, workspace, done, is_last).await {
                Ok(Some(batch)) => batch,
                Ok(None) => return true,
                Err(error) => {
                    // What was sent is sent again when its claim has ended, under the same id.
                    if !error.is_already_logged() {
                        tracing::warn!(?error, %webhook, "deliveries of a webhook were not written down");
                    }
                    return false;
                }
            };
            done = match self.send(batch, &connections).await {
                Ok(done) => done,
                Err(failure) => {
                    tracing::error!(%failure, %webhook, "a webhook cannot be told anything");
                    return false;
                }
            };
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

    async fn send(
        &self,
        Batch { webhook, due, lease_end }: Batch,
        connections: &ConnectionPool,
    ) -> Result<Done, Failure> {
        let endpoint = Endpoint {
            connections,
            signer: self.secrets.signer(&webhook, self.context.clock.now())?,
            url: webhook.url,
            challenge: webhook.challenge,
        };
        let until = Instant::now() + BEGINNING;
        let attempts = due.into_iter().map(|delivery| self.attempt(&endpoint, delivery, until));
        let attempted = stream::iter(attempts).buffer_unordered(PARALLEL).collect().await;
        Ok(Done { attempted, lease_end: Some(lease_end) })
    }

    /// Attempts a delivery, unless it is too late to begin; leaves it when the service stops.
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
