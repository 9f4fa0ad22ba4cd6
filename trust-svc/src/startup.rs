//! What the service makes before it serves, and what runs until it stops.

use std::sync::Arc;

use futures_util::future::join;
use shared_model::Failure;
use shared_runtime::{Context, service::Prepared};

use crate::{
    cosigning::{self, Witnesses},
    events::Sequencer,
    log::{OwnLog, key},
    self_check::SelfChecks,
};

// An error stops the start: a service with a damaged log must not serve it.
pub async fn prepare(context: Context) -> Result<Prepared, Failure> {
    let signer = Arc::new(key::signer_at_start(&context).await?);
    let sequencer = Arc::new(Sequencer::start(context.clone()));
    let self_checks = Arc::new(SelfChecks::at_start(&context, Arc::clone(&sequencer)).await?);
    let witnesses = context.settings.groups.get::<Witnesses>().cloned();

    let (checks, log_signer, asked) = (Arc::clone(&self_checks), Arc::clone(&signer), witnesses.clone());
    let background = async move {
        let cosign = async {
            if let Some(witnesses) = asked {
                cosigning::run(context.clone(), witnesses, OwnLog { context: context.clone(), signer: log_signer })
                    .await;
            }
        };
        join(checks.keep_checking(&context), cosign).await;
    };
    Ok(Prepared::new(background).state(signer).state(sequencer).state(self_checks).state(Arc::new(witnesses)))
}
