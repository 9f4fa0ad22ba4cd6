//! What all verbs of the process share beside the context.

use std::sync::Arc;

use futures_util::future::join;
use shared_model::Failure;
use shared_runtime::Context;

use crate::{
    cosigning::{self, Witnesses},
    events::batch::{self, Entry, Judged},
    log::{Sequencer, key, witnessed::OwnLog},
    self_check::SelfChecks,
    tlog::NoteSigner,
};

/// The state of the service.
pub struct Trust {
    /// Signs the log's checkpoints.
    pub signer: Arc<NoteSigner>,
    /// The witnesses that cosign them, where there are any.
    pub witnesses: Option<Witnesses>,
    /// The way into the log.
    pub sequencer: Sequencer<Entry, Judged>,
    /// Whether the log is intact.
    pub self_checks: SelfChecks,
}

/// Makes it before anything is served: a log that is damaged is not.
pub async fn prepare(context: Context) -> Result<Trust, Failure> {
    let signer = Arc::new(key::signer_of_start(&context).await?);
    let self_checks = SelfChecks::at_start(&context).await?;
    let witnesses = Witnesses::of(&context.settings)?;
    let sequencer = Sequencer::start(context, batch::append);
    Ok(Trust { signer, witnesses, sequencer, self_checks })
}

/// Checks the log again and again, and has its checkpoints cosigned.
pub async fn watch(trust: Arc<Trust>, context: Context) {
    let cosigned = async {
        if let Some(witnesses) = trust.witnesses.clone() {
            let log = OwnLog { context: context.clone(), signer: Arc::clone(&trust.signer) };
            cosigning::run(context.clone(), witnesses, log).await;
        }
    };
    join(trust.self_checks.keep_checking(&context), cosigned).await;
}
