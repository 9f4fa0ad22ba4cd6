//! One attempt at a job: the handler runs while a heartbeat renews the lease. Then the job is ended, retried or given
//! up.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use shared_model::{Error, Failure};
use tokio::sync::watch;
use tracing::Instrument as _;

use super::{
    kind::JobKind,
    lease::{self, AttemptError, Lease, Settlement},
    measures::{AttemptEnd, JobMeasures},
    store::{self, AttemptCount, Job, LeaseToken},
};
use crate::{
    base::{backoff::jittered, failpoint},
    context::Context,
};

// A worker that stops returns its leases, so that another process can continue at once. Leases that are not returned
// expire.
const HAND_BACK_TIMEOUT: Duration = Duration::from_secs(5);
// give_up failed, so the object stays without a final state. Often enough to recover, rarely enough for the log.
const GIVE_UP_RETRY: Duration = Duration::from_secs(300);

enum HandlerEnd {
    Settled,
    Failed(Error),
    LeaseLost,
    Stopped,
}

pub(super) async fn run(
    context: Context,
    kind: Arc<JobKind>,
    job: Job,
    token: LeaseToken,
    stopped: watch::Receiver<bool>,
) {
    let span = tracing::error_span!("job", kind = kind.name, key = job.key, attempt = job.attempts);
    let measures = JobMeasures::for_kind(kind.name, &context.metrics);
    let attempt = JobAttempt { context, kind, job, token };
    async move {
        let started = measures.begin();
        let end = tokio::select! {
            end = attempt.run(stopped.clone()) => end,
            () = overdue(stopped) => {
                tracing::warn!("a job did not end before the stop; its lease will expire");
                AttemptEnd::Left
            }
        };
        measures.ended(end, &started);
    }
    .instrument(span)
    .await;
}

/// Returns when a stop has waited long enough.
async fn overdue(mut stopped: watch::Receiver<bool>) {
    if stopped.wait_for(|stopped| *stopped).await.is_err() {
        tracing::debug!("the worker was dropped without a stop");
    }
    tokio::time::sleep(HAND_BACK_TIMEOUT).await;
}

struct JobAttempt {
    context: Context,
    kind: Arc<JobKind>,
    job: Job,
    token: LeaseToken,
}

impl JobAttempt {
    async fn run(&self, stopped: watch::Receiver<bool>) -> AttemptEnd {
        if self.job.attempts > i64::from(self.kind.attempts) {
            // The process died in its last attempt, before it could give the job up.
            return self.give_up().await;
        }
        match self.handle(stopped).await {
            HandlerEnd::Settled => AttemptEnd::Succeeded,
            HandlerEnd::LeaseLost => lost(),
            HandlerEnd::Stopped => self.hand_back().await,
            HandlerEnd::Failed(error) => {
                if error.is_already_logged() {
                    tracing::debug!(?error, "an attempt at a job failed");
                } else {
                    tracing::warn!(?error, "an attempt at a job failed");
                }
                if self.job.attempts < i64::from(self.kind.attempts) {
                    self.retry().await
                } else {
                    self.give_up().await
                }
            }
        }
    }

    async fn handle(&self, mut stopped: watch::Receiver<bool>) -> HandlerEnd {
        // The handler consumes its lease when it settles; ours is for what follows a failure.
        let lease = Lease::new(self.job.clone(), self.token.clone());
        let handler = async {
            failpoint::hang("jobs::claimed").await;
            (self.kind.run)(self.context.clone(), lease).await
        };
        tokio::select! {
            // The stop comes first: a handler that is ready at the same moment must not start another step.
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => HandlerEnd::Stopped,
            outcome = AssertUnwindSafe(handler).catch_unwind() => handler_end(outcome),
            () = self.heartbeat() => HandlerEnd::LeaseLost,
        }
    }

    /// Renews the lease; returns when it is lost.
    async fn heartbeat(&self) {
        loop {
            // Two renewals may fail before the lease expires. While the database is away nobody else can take the
            // lease, so that is not a reason to stop.
            tokio::time::sleep(self.kind.lease / 3).await;
            let (token, until) = (self.token.clone(), self.context.clock.now().plus(self.kind.lease));
            let renewed = lease::write(&self.context, &self.token, move |conn| Ok(store::renew(conn, &token, until)?));
            match renewed.await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::debug!(?error, "a lease was not renewed"),
            }
        }
    }

    async fn retry(&self) -> AttemptEnd {
        let failed = u32::try_from(self.job.attempts).unwrap_or(u32::MAX);
        // Random pauses: jobs that an outage failed together must not return together.
        self.release(jittered((self.kind.backoff)(failed)), AttemptCount::Kept).await
    }

    async fn release(&self, after: Duration, count: AttemptCount) -> AttemptEnd {
        let run_at = self.context.clock.now().plus(after);
        let released = lease::fenced(&self.context, &self.token, move |conn, token| {
            Ok(store::release(conn, token, run_at, count)?)
        });
        match released.await {
            Ok(()) => AttemptEnd::Failed,
            Err(AttemptError::LeaseLost) => lost(),
            Err(AttemptError::Failed(error)) => {
                tracing::error!(?error, "a job could not be released; its lease will expire");
                AttemptEnd::Failed
            }
        }
    }

    /// The attempt does not count, and another worker can start immediately.
    async fn hand_back(&self) -> AttemptEnd {
        let (token, now) = (self.token.clone(), self.context.clock.now());
        let released = lease::write(&self.context, &self.token, move |conn| {
            Ok(store::release(conn, &token, now, AttemptCount::WithoutThis)?)
        });
        match released.await {
            Ok(()) => AttemptEnd::HandedBack,
            Err(error) => {
                tracing::warn!(?error, "a job could not be handed back; its lease will expire");
                AttemptEnd::Left
            }
        }
    }

    async fn give_up(&self) -> AttemptEnd {
        let (kind, job, now) = (Arc::clone(&self.kind), self.job.clone(), self.context.clock.now());
        match lease::end(&self.context, &self.token, move |conn| (kind.give_up)(conn, &job, now)).await {
            Ok(()) => {
                tracing::warn!("a job was given up");
                AttemptEnd::GivenUp
            }
            Err(AttemptError::LeaseLost) => lost(),
            Err(AttemptError::Failed(error)) => {
                tracing::error!(?error, "a job could not be given up");
                // The count stays above the limit, so the next attempt only tries to give up again.
                self.release(GIVE_UP_RETRY, AttemptCount::Kept).await
            }
        }
    }
}

fn lost() -> AttemptEnd {
    tracing::info!("another worker has the job now");
    AttemptEnd::Lost
}

fn handler_end(outcome: Result<Result<Settlement, AttemptError>, Box<dyn Any + Send>>) -> HandlerEnd {
    match outcome {
        Ok(Ok(Settlement { .. })) => HandlerEnd::Settled,
        Ok(Err(AttemptError::LeaseLost)) => HandlerEnd::LeaseLost,
        Ok(Err(AttemptError::Failed(error))) => HandlerEnd::Failed(error),
        Err(_) => HandlerEnd::Failed(Failure::fault("a job's handler panicked").into()),
    }
}
