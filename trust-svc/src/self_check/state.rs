//! The result of the last self-check, and the hourly repetition.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::Serialize;
use shared_model::Timestamp;
use shared_runtime::{Context, base::metrics::Metric};
use utoipa::ToSchema;

use super::{
    mismatch::{CheckError, Mismatch},
    run::{Checked, run},
};
use crate::{column::TreeHash, events::Sequencer};

pub const DAMAGED: Metric = Metric::gauge(
    "log_damaged",
    &[],
    "1 when the last self-check of the log found a mismatch. Publishing is then answered with 503.",
);
pub const CHECKED: Metric = Metric::gauge("log_checked_entries", &[], "Entries that the last self-check has covered.");

// Between two self-checks. A check reads the whole log, so it must not run all the time.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

shared_model::text_enum! {
    /// The result of a self-check.
    pub enum AuditResult {
        /// The tree, the rows of events and the signers follow from the entries.
        Intact = "intact",
        /// Some of them do not follow from the entries.
        Damaged = "damaged",
    }
}

/// The last self-check of the log. It computes the tree, the rows of events and the signers again from the entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Audit {
    /// When the check began.
    pub checked_at: Timestamp,
    /// The index of the first checked entry.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 0)]
    pub from_size: u64,
    /// The size of the log up to which all entries were intact at the last complete check.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 1)]
    pub to_size: u64,
    /// The root computed from the entries.
    pub root_hash: TreeHash,
    /// A damaged log accepts no more events.
    pub result: AuditResult,
    /// The first damaged place.
    #[schema(required, example = json!(null))]
    pub damage: Option<String>,
}

pub struct SelfChecks {
    last: Mutex<Audit>,
    sequencer: Arc<Sequencer>,
}

impl SelfChecks {
    /// Checks the whole log. `Err` names the first mismatch. Later checks halt the sequencer when they find damage.
    pub async fn at_start(context: &Context, sequencer: Arc<Sequencer>) -> Result<Self, CheckError> {
        let checked = run(context, |_| ()).await?;
        tracing::info!(entries = checked.size, root = %checked.root, "the log was checked");
        measure(context, &checked);
        Ok(Self { last: Mutex::new(Audit::intact(&checked)), sequencer })
    }

    pub fn last(&self) -> Audit {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks the log again and stores the result.
    pub async fn again(&self, context: &Context) {
        match run(context, |_| ()).await {
            Ok(checked) => {
                measure(context, &checked);
                self.store(Audit::intact(&checked));
            }
            Err(CheckError::Mismatch(mismatch)) => {
                // Halt first: an event that is appended to a damaged log gets a receipt for it.
                self.sequencer.halt();
                tracing::error!(%mismatch, "the log accepts no more events");
                context.metrics.gauge(&DAMAGED, &[]).set(1.0);
                self.store(self.last().damaged(&mismatch, context.clock.now()));
            }
            // A database that is away is not damage: the next check tries again.
            Err(CheckError::Failed(failure)) if failure.is_already_logged() => {
                tracing::debug!(%failure, "the log could not be checked");
            }
            Err(CheckError::Failed(failure)) => tracing::warn!(%failure, "the log could not be checked"),
        }
    }

    /// Checks the log every hour, until it is found to be damaged.
    pub async fn keep_checking(&self, context: &Context) {
        // Damage does not go away: an operator must look, and restart the service.
        while self.last().result == AuditResult::Intact {
            tokio::time::sleep(INTERVAL).await;
            self.again(context).await;
        }
    }

    fn store(&self, audit: Audit) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = audit;
    }
}

impl Audit {
    fn intact(checked: &Checked) -> Self {
        Self {
            checked_at: checked.at,
            from_size: 0,
            to_size: checked.size,
            root_hash: TreeHash(checked.root),
            result: AuditResult::Intact,
            damage: None,
        }
    }

    fn damaged(self, mismatch: &Mismatch, at: Timestamp) -> Self {
        Self { checked_at: at, result: AuditResult::Damaged, damage: Some(mismatch.to_string()), ..self }
    }
}

fn measure(context: &Context, checked: &Checked) {
    context.metrics.gauge(&DAMAGED, &[]).set(0.0);
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
    context.metrics.gauge(&CHECKED, &[]).set(checked.size as f64);
}
