//! What all verbs of the process share beside the context.

use shared_model::Failure;
use shared_runtime::Context;

use crate::{
    events::batch::{self, Entry, Judged},
    log::{Sequencer, key},
    self_check::SelfChecks,
    tlog::NoteSigner,
};

/// The state of the service.
pub struct Trust {
    /// Signs the log's checkpoints.
    pub signer: NoteSigner,
    /// The way into the log.
    pub sequencer: Sequencer<Entry, Judged>,
    /// Whether the log is intact.
    pub self_checks: SelfChecks,
}

/// Makes it before anything is served: a log that is damaged is not.
pub async fn prepare(context: Context) -> Result<Trust, Failure> {
    let signer = key::signer_of_start(&context).await?;
    let self_checks = SelfChecks::at_start(&context).await?;
    tokio::spawn(self_checks.clone().keep_checking(context.clone()));
    let sequencer = Sequencer::start(context, batch::append);
    Ok(Trust { signer, sequencer, self_checks })
}
