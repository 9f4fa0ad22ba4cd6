//! The background task: a loop that submits checkpoints, and one for each witness.

use std::time::Duration;

use futures_util::future::{join, join_all};
use shared_runtime::{
    Context,
    base::{backoff::Backoff, metrics::Metric},
};
use tokio::sync::watch;

use super::{
    AskedWitness, WitnessedLog, Witnesses,
    ask::{AskError, Asker},
    submit,
};
use crate::tlog::SignedCheckpoint;

const COSIGNED: Metric =
    Metric { name: "witness_cosigned_size", help: "Entries of the log that the witness has cosigned, by witness." };
const FAILURES: Metric =
    Metric { name: "witness_failures_total", help: "Requests for a cosignature that came to none, by witness." };

/// How often a checkpoint is submitted at most.
const INTERVAL: Duration = Duration::from_secs(1);
/// Pauses after a witness that gave no cosignature.
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));

/// Has the log's checkpoints cosigned, for ever. Several processes of a log may run it.
pub async fn run(context: Context, witnesses: Witnesses, log: impl WitnessedLog) {
    let (submitted, watched) = watch::channel(None);
    let ask = |witness: &AskedWitness| keep_asking(context.clone(), witness.clone(), log.clone(), watched.clone());
    let asking = join_all(witnesses.asked.iter().map(ask));
    join(keep_submitting(&context, &witnesses, &log, submitted), asking).await;
}

async fn keep_submitting(
    context: &Context,
    witnesses: &Witnesses,
    log: &impl WitnessedLog,
    submitted: watch::Sender<Option<SignedCheckpoint>>,
) {
    let mut is_away = false;
    loop {
        match submit::current(context, witnesses, log).await {
            Ok(current) => {
                is_away = false;
                submitted.send_if_modified(|before| {
                    let is_new = *before != current;
                    *before = current;
                    is_new
                });
            }
            Err(error) if !is_away => {
                is_away = true;
                tracing::warn!(error = %AskError::Log(error), "no checkpoint is submitted to the witnesses");
            }
            Err(error) => tracing::debug!(error = %AskError::Log(error), "no checkpoint is submitted"),
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Asks one witness for each checkpoint that is submitted; one that it missed is given up for a later one.
async fn keep_asking(
    context: Context,
    witness: AskedWitness,
    log: impl WitnessedLog,
    mut submitted: watch::Receiver<Option<SignedCheckpoint>>,
) {
    let name = witness.key.name().as_str().to_owned();
    let labels = [("witness", name.as_str())];
    let (cosigned, failures) = (context.metrics.gauge(&COSIGNED, &labels), context.metrics.counter(&FAILURES, &labels));
    let mut backoff = BACKOFF;
    let mut asker = loop {
        match Asker::new(context.clone(), witness.clone(), log.clone()).await {
            Ok(asker) => break asker,
            Err(error) => {
                tracing::debug!(witness = name, error = %AskError::Log(error), "what a witness has cosigned is not known");
                tokio::time::sleep(backoff.pause()).await;
            }
        }
    };
    backoff.reset();
    loop {
        let current = submitted.borrow_and_update().clone();
        let outcome = match &current {
            Some(checkpoint) => asker.cosign(checkpoint).await,
            None => Ok(()),
        };
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
        cosigned.set(asker.known() as f64);
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
                    // Not a matter of time: somebody must look.
                    AskError::Ahead { .. } => tracing::error!(witness = name, %error, "no cosignature"),
                    _ if backoff.is_fresh() => tracing::warn!(witness = name, %error, "no cosignature"),
                    _ => tracing::debug!(witness = name, %error, "no cosignature"),
                }
                tokio::time::sleep(backoff.pause()).await;
            }
        }
    }
}
