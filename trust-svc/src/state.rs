//! What all verbs of the process share beside the context.

use shared_model::Failure;
use shared_runtime::Context;

use crate::{
    events::batch::{self, Entry, Judged},
    log::{Sequencer, key},
    tlog::NoteSigner,
};

/// The state of the service.
pub struct Trust {
    /// Signs the log's checkpoints.
    pub signer: NoteSigner,
    /// The way into the log.
    pub sequencer: Sequencer<Entry, Judged>,
}

/// Makes it before anything is served.
pub async fn prepare(context: Context) -> Result<Trust, Failure> {
    let signer = key::signer_of_start(&context).await?;
    let sequencer = Sequencer::start(context, batch::append);
    Ok(Trust { signer, sequencer })
}
