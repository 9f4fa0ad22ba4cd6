//! One attempt at one job: the handler beside its heartbeat, and whatever comes of it.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use shared_model::{Error, Failure};
use tokio::sync::watch;
use tracing::Instrument as _;

use super::{
    Interrupted, Job, JobKind, Lease, Settled, jittered, lease,
    store::{self, Charge, LeaseToken},
};
use crate::{base::failpoint, context::Context};

/// How long a stop waits for the database to take a lease back; without that the lease expires.
const FAREWELL: Duration = Duration::from_secs(5);
/// When the transaction that gives a job up has failed, it is tried again after this.
const AFTER_A_FAULT: Duration = Duration::from_secs(300);

/// How an attempt ended.
enum Attempt {
    Settled,
    Failed(Error),
    Lost,
    Stopped,
}

/// Runs the handler until it ends, loses its lease, or is stopped; then sees to the job.
pub(super) async fn run(
    context: Context,
    kind: Arc<JobKind>,
    job: Job,
    token: LeaseToken,
    stopped: watch::Receiver<bool>,
) {
    let span = tracing::error_span!("job", kind = kind.name, key = job.key, attempt = job.attempts);
    let (surface, name) = (context.surface.name, kind.name);
    let attempts = Attempts { context, kind, job, token };
    async move {
        metrics::counter!("jobs_claimed_total", "surface" => surface, "kind" => name).increment(1);
        let end = tokio::select! {
            end = attempts.run(stopped.clone()) => end,
            () = overdue(stopped) => {
                tracing::warn!("a job was left behind by the stop; its lease will expire");
                "left"
            }
        };
        metrics::counter!("jobs_ended_total", "surface" => surface, "kind" => name, "end" => end).increment(1);
    }
    .instrument(span)
    .await;
}

/// Returns when a stop has waited long enough.
async fn overdue(mut stopped: watch::Receiver<bool>) {
    if stopped.wait_for(|stopped| *stopped).await.is_err() {
        tracing::debug!("the worker was dropped without a stop");
    }
    tokio::time::sleep(FAREWELL).await;
}

struct Attempts {
    context: Context,
    kind: Arc<JobKind>,
    job: Job,
    token: LeaseToken,
}

impl Attempts {
    /// One attempt; its end as the metrics name it.
    async fn run(&self, stopped: watch::Receiver<bool>) -> &'static str {
        if self.job.attempts > i64::from(self.kind.attempts) {
            // The last attempt ended without a word: its process did not live to tell.
            return self.give_up().await;
        }
        match self.attempt(stopped).await {
            Attempt::Settled => "succeeded",
            Attempt::Lost => lost(),
            Attempt::Stopped => self.hand_back().await,
            Attempt::Failed(error) => {
                tracing::warn!(?error, "an attempt at a job failed");
                if self.job.attempts < i64::from(self.kind.attempts) {
                    self.retry().await
                } else {
                    self.give_up().await
                }
            }
        }
    }

    async fn attempt(&self, mut stopped: watch::Receiver<bool>) -> Attempt {
        let lease = Lease::new(self.job.clone(), self.token.clone());
        let handler = async {
            failpoint::hang("jobs::claimed").await;
            (self.kind.run)(self.context.clone(), lease).await
        };
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => Attempt::Stopped,
            outcome = AssertUnwindSafe(handler).catch_unwind() => judge(outcome),
            () = self.heartbeat() => Attempt::Lost,
        }
    }

    /// Prolongs the lease three times in its length. Returns when it is lost. A database that is away takes it from nobody.
    async fn heartbeat(&self) {
        loop {
            tokio::time::sleep(self.kind.lease / 3).await;
            let (token, until) = (self.token.clone(), self.context.clock.now().plus(self.kind.lease));
            match self.context.write(move |conn| Ok(store::prolong(conn, &token, until)?)).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::debug!(?error, "a heartbeat was not heard"),
            }
        }
    }

    async fn retry(&self) -> &'static str {
        let failed = u32::try_from(self.job.attempts).unwrap_or(u32::MAX);
        self.release(jittered((self.kind.backoff)(failed)), Charge::All).await
    }

    /// Makes the job due again after a while.
    async fn release(&self, after: Duration, charge: Charge) -> &'static str {
        let run_at = self.context.clock.now().plus(after);
        let released = lease::fenced(&self.context, &self.token, move |conn, token| {
            Ok(store::release(conn, token, run_at, charge)?)
        });
        match released.await {
            Ok(()) => "failed",
            Err(Interrupted::LeaseLost) => lost(),
            Err(Interrupted::Halted(error)) => {
                tracing::error!(?error, "a job was not released; its lease will expire");
                "failed"
            }
        }
    }

    /// The attempt is not counted, and the next worker can begin at once.
    async fn hand_back(&self) -> &'static str {
        let (token, now) = (self.token.clone(), self.context.clock.now());
        match self.context.write(move |conn| Ok(store::release(conn, &token, now, Charge::NotThis)?)).await {
            Ok(()) => "handed_back",
            Err(error) => {
                tracing::warn!(?error, "a job was not handed back; its lease will expire");
                "left"
            }
        }
    }

    async fn give_up(&self) -> &'static str {
        let (kind, job, now) = (Arc::clone(&self.kind), self.job.clone(), self.context.clock.now());
        match lease::end(&self.context, &self.token, move |conn| (kind.give_up)(conn, &job, now)).await {
            Ok(()) => {
                tracing::warn!("a job was given up");
                "given_up"
            }
            Err(Interrupted::LeaseLost) => lost(),
            Err(Interrupted::Halted(error)) => {
                tracing::error!(?error, "a job could not be given up");
                self.release(AFTER_A_FAULT, Charge::All).await
            }
        }
    }
}

fn lost() -> &'static str {
    tracing::info!("the job is another worker's now");
    "lost"
}

fn judge(outcome: Result<Result<Settled, Interrupted>, Box<dyn Any + Send>>) -> Attempt {
    match outcome {
        Ok(Ok(Settled { .. })) => Attempt::Settled,
        Ok(Err(Interrupted::LeaseLost)) => Attempt::Lost,
        Ok(Err(Interrupted::Halted(error))) => Attempt::Failed(error),
        Err(_) => Attempt::Failed(Failure::fault("a job's handler panicked").into()),
    }
}
