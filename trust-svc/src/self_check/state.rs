//! The last self-check, for everyone to read, and the next one.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde::Serialize;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Context, base::metrics::Metric};
use utoipa::ToSchema;

use super::{
    mismatch::{CheckError, Mismatch},
    run::{Checked, run},
};
use crate::merkle::Hash;

const DAMAGED: Metric = Metric { name: "log_damaged", help: "1 when the last self-check of the log found a mismatch." };
const CHECKED: Metric = Metric { name: "log_checked_entries", help: "Entries that the last self-check has covered." };

/// From the end of one self-check to the next.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

shared_model::text_enum! {
    /// What a self-check found.
    pub enum AuditResult {
        /// Everything that is stored follows from the entries.
        Intact = "intact",
        /// Something does not.
        Damaged = "damaged",
    }
}

/// The last self-check of the log: all leaf hashes, subtree roots, the head and the rows of events, computed again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Audit {
    /// When it began.
    pub checked_at: Timestamp,
    /// The index of the first entry that it covered.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 0)]
    pub from_size: u64,
    /// The size of the log up to which it covered the entries, when nothing is damaged.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 1)]
    pub to_size: u64,
    /// The root that the entries come to.
    pub root_hash: Hash,
    /// What it found. A log that is damaged takes no more events.
    pub result: AuditResult,
    /// The place that is damaged.
    #[schema(required, example = json!(null))]
    pub damage: Option<String>,
}

/// The self-checks of one process.
pub struct SelfChecks(Mutex<Audit>);

impl SelfChecks {
    /// Checks the whole log; a mismatch is an error that names the place.
    pub async fn at_start(context: &Context) -> Result<Self, CheckError> {
        let checked = run(context, |_| ()).await?;
        tracing::info!(entries = checked.size, root = %checked.root, "the log was checked");
        measure(context, &checked);
        Ok(Self(Mutex::new(Audit::intact(&checked))))
    }

    /// The last one.
    pub fn last(&self) -> Audit {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// 503 once the log was found to be damaged: nothing may be built on it.
    pub fn require_intact(&self) -> Result<(), Failure> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).result {
            AuditResult::Intact => Ok(()),
            AuditResult::Damaged => Err(Failure::unavailable("the log is damaged").already_logged()),
        }
    }

    /// Checks the log again, and keeps what is found.
    pub async fn again(&self, context: &Context) {
        match run(context, |_| ()).await {
            Ok(checked) => {
                measure(context, &checked);
                self.keep(Audit::intact(&checked));
            }
            Err(CheckError::Mismatch(mismatch)) => {
                tracing::error!(%mismatch, "nothing more is appended");
                context.metrics.gauge(&DAMAGED, &[]).set(1.0);
                self.keep(self.last().damaged(&mismatch, context.clock.now()));
            }
            Err(CheckError::Failed(failure)) if failure.is_already_logged() => {
                tracing::debug!(%failure, "the log could not be checked");
            }
            Err(CheckError::Failed(failure)) => tracing::warn!(%failure, "the log could not be checked"),
        }
    }

    /// Checks the log every hour, until it is found to be damaged.
    pub async fn keep_checking(&self, context: &Context) {
        while self.require_intact().is_ok() {
            tokio::time::sleep(INTERVAL).await;
            self.again(context).await;
        }
    }

    fn keep(&self, audit: Audit) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = audit;
    }
}

impl Audit {
    fn intact(checked: &Checked) -> Self {
        Self {
            checked_at: checked.at,
            from_size: 0,
            to_size: checked.size,
            root_hash: checked.root,
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
