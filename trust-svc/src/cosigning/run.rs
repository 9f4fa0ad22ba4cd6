//! The background task: one loop that submits checkpoints, and one loop for each witness.

use std::time::Duration;

use futures_util::future::{join, join_all};
use metrics::{Counter, Gauge};
use shared_runtime::{
    Context,
    base::{backoff::Backoff, metrics::Metric},
};
use tokio::sync::watch;
use trust_log::tlog::SignedCheckpoint;

use super::{
    RemoteWitness, WitnessedLog, Witnesses,
    request::{CosignError, CosignatureClient},
    submit,
};

pub const COSIGNED: Metric = Metric::gauge(
    "witness_cosigned_size",
    &["witness"],
    "Entries of the log that the witness has cosigned. It must follow the size of the log.",
);
pub const FAILURES: Metric =
    Metric::counter("witness_failures_total", &["witness"], "Failed requests for a cosignature.");

// Bounds the requests to each witness while the log grows all the time.
const SUBMIT_INTERVAL: Duration = Duration::from_secs(1);
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));

/// Runs until the service stops. Several processes of one log may run it.
pub fn run(context: Context, witnesses: Witnesses, log: impl WitnessedLog) -> impl Future<Output = ()> {
    // Made here and not in the loops: the metrics of a service exist from its start.
    let measured: Vec<_> = witnesses.all.iter().map(|witness| (witness.clone(), measures(&context, witness))).collect();
    async move {
        let (submitted, watched) = watch::channel(None);
        let ask = |(witness, measures)| keep_asking(context.clone(), witness, measures, log.clone(), watched.clone());
        let asking = join_all(measured.into_iter().map(ask));
        join(keep_submitting(&context, &witnesses, &log, submitted), asking).await;
    }
}

fn measures(context: &Context, witness: &RemoteWitness) -> (Gauge, Counter) {
    let labels = [("witness", witness.key.name().as_str())];
    (context.metrics.gauge(&COSIGNED, &labels), context.metrics.counter(&FAILURES, &labels))
}

async fn keep_submitting(
    context: &Context,
    witnesses: &Witnesses,
    log: &impl WitnessedLog,
    submitted: watch::Sender<Option<SignedCheckpoint>>,
) {
    let mut is_failing = false;
    loop {
        match submit::current(context, witnesses, log).await {
            Ok(current) => {
                is_failing = false;
                // Only a new checkpoint wakes the loops of the witnesses.
                submitted.send_if_modified(|before| {
                    let is_new = *before != current;
                    *before = current;
                    is_new
                });
            }
            Err(error) if !is_failing => {
                is_failing = true;
                tracing::warn!(error = %CosignError::Log(error), "no checkpoint is submitted to the witnesses");
            }
            Err(error) => tracing::debug!(error = %CosignError::Log(error), "no checkpoint is submitted"),
        }
        tokio::time::sleep(SUBMIT_INTERVAL).await;
    }
}

/// Asks one witness for each submitted checkpoint. A later checkpoint replaces one that is still missing.
async fn keep_asking(
    context: Context,
    witness: RemoteWitness,
    (cosigned, failures): (Gauge, Counter),
    log: impl WitnessedLog,
    mut submitted: watch::Receiver<Option<SignedCheckpoint>>,
) {
    let name = witness.key.name().as_str().to_owned();
    let mut backoff = BACKOFF;
    let mut client = loop {
        match CosignatureClient::new(context.clone(), witness.clone(), log.clone()).await {
            Ok(client) => break client,
            Err(error) => {
                tracing::debug!(witness = name, error = %CosignError::Log(error), "the size that the witness has cosigned cannot be read");
                tokio::time::sleep(backoff.pause()).await;
            }
        }
    };
    backoff.reset();
    loop {
        let current = submitted.borrow_and_update().clone();
        let outcome = match &current {
            Some(checkpoint) => client.cosign(checkpoint).await,
            None => Ok(()),
        };
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
        cosigned.set(client.cosigned_size() as f64);
        match outcome {
            Ok(()) => {
                if !backoff.is_fresh() {
                    tracing::info!(witness = name, "the witness cosigns again");
                }
                backoff.reset();
                if submitted.changed().await.is_err() {
                    return;
                }
            }
            Err(error) => {
                failures.increment(1);
                match &error {
                    // Waiting does not help here: an operator must look. So this is an error at every attempt.
                    CosignError::Ahead { .. } => tracing::error!(witness = name, %error, "no cosignature"),
                    // One line at the start of an outage; the counter shows the rest.
                    _ if backoff.is_fresh() => tracing::warn!(witness = name, %error, "no cosignature"),
                    _ => tracing::debug!(witness = name, %error, "no cosignature"),
                }
                tokio::time::sleep(backoff.pause()).await;
            }
        }
    }
}
