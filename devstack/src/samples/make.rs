//! Makes the samples of all services.

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use shared_runtime::{Clock, Context};

use super::{cloud, locker, orders, trust};
use crate::{
    client::Client,
    error::StackError,
    receiver::Receiver,
    sample_ids::SampleIds,
    service_name::ServiceName,
    stack_file::StackFile,
    tokens::{ADA, Caller, OTHER_WORKSPACE},
};

/// Makes the samples that `stack` lacks and returns the ids of all. A sample that cannot be made keeps its old id.
pub async fn missing(
    stack_file: &StackFile,
    client: &Client,
    contexts: &BTreeMap<ServiceName, Context>,
    signer: &SigningKey,
    attestor: &SigningKey,
    receiver: &Receiver,
) -> Result<SampleIds, StackError> {
    let known = &stack_file.samples;
    let context = |service: ServiceName| &contexts[&service];
    let base_url = |service: ServiceName| stack_file.services[&service].base_url.as_str();
    let token = |caller: Caller| stack_file.tokens[&caller.service][caller.name].as_str();
    let (cloud_url, trust_url) = (base_url(ServiceName::Cloud), base_url(ServiceName::Trust));
    // Not `try_join`: a revoked grant or signer must not keep the stack from starting.
    let (locker, cloud, orders, trust) = tokio::join!(
        locker::make(context(ServiceName::Locker), client, base_url(ServiceName::Locker), &receiver.origin, attestor),
        cloud::make(client, cloud_url, token(ADA), token(OTHER_WORKSPACE), receiver, &known.cloud),
        orders::make(context(ServiceName::Orders)),
        trust::make(client, trust_url, signer, Clock::System.now()),
    );
    Ok(SampleIds {
        locker: made_or_known(locker, &known.locker),
        cloud: made_or_known(cloud, &known.cloud),
        orders: made_or_known(orders, &known.orders),
        trust: made_or_known(trust, &known.trust),
    })
}

fn made_or_known<T: Clone>(made: Result<T, StackError>, known: &T) -> T {
    made.unwrap_or_else(|error| {
        tracing::warn!(%error, "some samples could not be made or updated");
        known.clone()
    })
}
