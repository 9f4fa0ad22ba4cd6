//! One attempt at one job: the handler runs beside the heartbeat of its lease; then the job is ended, retried or given up.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use shared_model::{Error, Failure};
use tokio::sync::watch;
use tracing::Instrument as _;

use super::{
    kind::JobKind,
    lease::{self, Interrupted, Lease, Settled},
    measures::{AttemptEnd, JobMeasures},
    store::{self, AttemptCount, Job, LeaseToken},
};
use crate::{
    base::{backoff::jittered, failpoint},
    context::Context,
};

/// How long a stop waits for leases to be handed back; those that are not expire.
const HAND_BACK_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause after a failed transaction that was to give a job up.
const GIVE_UP_RETRY: Duration = Duration::from_secs(300);

/// How the handler ended.
enum HandlerEnd {
    Settled,
    Failed(Error),
    LeaseLost,
    Stopped,
}

/// Runs the handler until it ends, loses its lease, or is stopped; then ends, retries or gives up the job.
pub(super) async fn run(
    context: Context,
    kind: Arc<JobKind>,
    job: Job,
    token: LeaseToken,
    stopped: watch::Receiver<bool>,
) {
    let span = tracing::error_span!("job", kind = kind.name, key = job.key, attempt = job.attempts);
    let measures = JobMeasures::of(kind.name, &context.metrics);
    let attempt = JobAttempt { context, kind, job, token };
    async move {
        let started = measures.begin();
        let end = tokio::select! {
            end = attempt.run(stopped.clone()) => end,
            () = overdue(stopped) => {
                tracing::warn!("a job was left behind by the stop; its lease will expire");
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
    /// Runs the attempt; returns its end.
    async fn run(&self, stopped: watch::Receiver<bool>) -> AttemptEnd {
        if self.job.attempts > i64::from(self.kind.attempts) {
            // The process of the last attempt died before it could give the job up.
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
        let lease = Lease::new(self.job.clone(), self.token.clone());
        let handler = async {
            failpoint::hang("jobs::claimed").await;
            (self.kind.run)(self.context.clone(), lease).await
        };
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => HandlerEnd::Stopped,
            outcome = AssertUnwindSafe(handler).catch_unwind() => handler_end(outcome),
            () = self.heartbeat() => HandlerEnd::LeaseLost,
        }
    }

    /// Renews the lease every third of its duration; returns when it is lost. While the database is away nobody can take it.
    async fn heartbeat(&self) {
        loop {
            tokio::time::sleep(self.kind.lease / 3).await;
            let (token, until) = (self.token.clone(), self.context.clock.now().plus(self.kind.lease));
            match self.context.write(move |conn| Ok(store::renew(conn, &token, until)?)).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::debug!(?error, "a lease was not renewed"),
            }
        }
    }

    async fn retry(&self) -> AttemptEnd {
        let failed = u32::try_from(self.job.attempts).unwrap_or(u32::MAX);
        self.release(jittered((self.kind.backoff)(failed)), AttemptCount::Kept).await
    }

    /// Makes the job due again after this time.
    async fn release(&self, after: Duration, count: AttemptCount) -> AttemptEnd {
        let run_at = self.context.clock.now().plus(after);
        let released = lease::fenced(&self.context, &self.token, move |conn, token| {
            Ok(store::release(conn, token, run_at, count)?)
        });
        match released.await {
            Ok(()) => AttemptEnd::Failed,
            Err(Interrupted::LeaseLost) => lost(),
            Err(Interrupted::Failed(error)) => {
                tracing::error!(?error, "a job was not released; its lease will expire");
                AttemptEnd::Failed
            }
        }
    }

    /// The attempt is not counted, and the next worker can begin at once.
    async fn hand_back(&self) -> AttemptEnd {
        let (token, now) = (self.token.clone(), self.context.clock.now());
        match self.context.write(move |conn| Ok(store::release(conn, &token, now, AttemptCount::WithoutThis)?)).await {
            Ok(()) => AttemptEnd::HandedBack,
            Err(error) => {
                tracing::warn!(?error, "a job was not handed back; its lease will expire");
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
            Err(Interrupted::LeaseLost) => lost(),
            Err(Interrupted::Failed(error)) => {
                tracing::error!(?error, "a job could not be given up");
                self.release(GIVE_UP_RETRY, AttemptCount::Kept).await
            }
        }
    }
}

fn lost() -> AttemptEnd {
    tracing::info!("the job is another worker's now");
    AttemptEnd::Lost
}

fn handler_end(outcome: Result<Result<Settled, Interrupted>, Box<dyn Any + Send>>) -> HandlerEnd {
    match outcome {
        Ok(Ok(Settled { .. })) => HandlerEnd::Settled,
        Ok(Err(Interrupted::LeaseLost)) => HandlerEnd::LeaseLost,
        Ok(Err(Interrupted::Failed(error))) => HandlerEnd::Failed(error),
        Err(_) => HandlerEnd::Failed(Failure::fault("a job's handler panicked").into()),
    }
}
