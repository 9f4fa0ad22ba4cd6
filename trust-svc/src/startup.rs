//! What the service makes before it serves, and what runs until it stops.

use std::sync::Arc;

use futures_util::future::{OptionFuture, join};
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

    let log = OwnLog { context: context.clone(), signer: Arc::clone(&signer) };
    let cosign = witnesses.clone().map(|witnesses| cosigning::run(context.clone(), witnesses, log));
    let checks = Arc::clone(&self_checks);
    let background = async move {
        join(checks.keep_checking(&context), OptionFuture::from(cosign)).await;
    };
    Ok(Prepared::new(background).state(signer).state(sequencer).state(self_checks).state(Arc::new(witnesses)))
}
