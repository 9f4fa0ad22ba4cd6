//! Makes the samples of all services.

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use shared_runtime::{Clock, Context};

use super::{Samples, cloud, locker, orders, trust};
use crate::{
    client::Client,
    error::StackError,
    manifest::Manifest,
    receiver::Receiver,
    surfaces::SurfaceName,
    tokens::{ADA, Caller, OTHER_WORKSPACE},
};

/// Makes what is missing of the samples that the manifest knows of. One that cannot be made is left as it was: a grant
/// or a signer may have been revoked since, and a stack without a sample is better than none.
pub async fn missing(
    manifest: &Manifest,
    client: &Client,
    contexts: &BTreeMap<SurfaceName, Context>,
    signer: &SigningKey,
    attestor: &SigningKey,
    receiver: &Receiver,
) -> Result<Samples, StackError> {
    let known = &manifest.samples;
    let context = |surface: SurfaceName| &contexts[&surface];
    let base_url = |surface: SurfaceName| manifest.surfaces[&surface].base_url.as_str();
    let token = |caller: Caller| manifest.tokens[&caller.surface][caller.name].as_str();
    let (cloud_url, trust_url) = (base_url(SurfaceName::Cloud), base_url(SurfaceName::Trust));
    let (locker, cloud, orders, trust) = tokio::join!(
        locker::make(context(SurfaceName::Locker), client, base_url(SurfaceName::Locker), &receiver.origin, attestor),
        cloud::make(client, cloud_url, token(ADA), token(OTHER_WORKSPACE), receiver, &known.cloud),
        orders::make(context(SurfaceName::Orders)),
        trust::make(client, trust_url, signer, Clock::System.now()),
    );
    Ok(Samples {
        locker: made_or_known(locker, &known.locker),
        cloud: made_or_known(cloud, &known.cloud),
        orders: made_or_known(orders, &known.orders),
        trust: made_or_known(trust, &known.trust),
    })
}

fn made_or_known<T: Clone>(made: Result<T, StackError>, known: &T) -> T {
    made.unwrap_or_else(|error| {
        tracing::warn!(%error, "some samples are not as they were");
        known.clone()
    })
}
