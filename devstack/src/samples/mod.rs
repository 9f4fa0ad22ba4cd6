//! Something to fixture with on every surface, brought in by importers and transactions like anything else; a restart adds nothing.

pub mod cloud;
pub mod exports;
pub mod locker;
pub mod orders;
pub mod trust;

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_runtime::{
    Clock, Context,
    import::{Importer, Mode},
    service::server::Running,
};

use crate::{
    client::Client,
    manifest::Manifest,
    surfaces::SurfaceName,
    tokens::{ADA, Caller, OTHER_WORKSPACE},
    trouble::Trouble,
};

/// The ids of what there is; what does not exist is left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Samples {
    /// On Locker, beside the catalogue and the subscriptions.
    pub locker: locker::Ids,
    /// On Cloud.
    pub cloud: cloud::Ids,
    /// On Orders.
    pub orders: orders::Ids,
    /// On Trust.
    pub trust: trust::Ids,
}

/// Makes what is missing of the samples that the manifest knows of. One that cannot be made is left as it was: a grant
/// or a signer may have been revoked since, and a stack without a sample is better than none.
pub async fn make(
    manifest: &Manifest,
    services: &BTreeMap<SurfaceName, Running>,
    signer: &SigningKey,
    attestor: &SigningKey,
) -> Result<Samples, Trouble> {
    let client = Client::new()?;
    let known = &manifest.samples;
    let context = |surface: SurfaceName| &services[&surface].context;
    let base_url = |surface: SurfaceName| manifest.surfaces[&surface].base_url.as_str();
    let token = |caller: Caller| manifest.tokens[&caller.surface][caller.name].as_str();
    let (cloud_url, trust_url) = (base_url(SurfaceName::Cloud), base_url(SurfaceName::Trust));
    let (locker, cloud, orders, trust) = tokio::join!(
        locker::make(
            context(SurfaceName::Locker),
            &client,
            base_url(SurfaceName::Locker),
            &manifest.issuer.url,
            attestor
        ),
        cloud::make(&client, cloud_url, token(ADA), token(OTHER_WORKSPACE), &known.cloud),
        orders::make(context(SurfaceName::Orders)),
        trust::make(&client, trust_url, signer, Clock::System.now()),
    );
    Ok(Samples {
        locker: made_or_known(locker, &known.locker),
        cloud: made_or_known(cloud, &known.cloud),
        orders: made_or_known(orders, &known.orders),
        trust: made_or_known(trust, &known.trust),
    })
}

fn made_or_known<T: Clone>(made: Result<T, Trouble>, known: &T) -> T {
    made.unwrap_or_else(|trouble| {
        tracing::warn!(%trouble, "some samples are not as they were");
        known.clone()
    })
}

/// Brings records in as a file of JSON lines would.
async fn import<T: Send + Sync + 'static>(
    context: &Context,
    importer: Importer<T>,
    records: impl IntoIterator<Item = Value>,
) -> Result<(), Trouble> {
    let lines: String = records.into_iter().map(|record| format!("{record}\n")).collect();
    let (_, refused) = importer.run_text(context, lines, Mode::EachBatch).await?;
    for (line, why) in refused {
        // Somebody has imported a newer version of a sample. It is theirs now.
        tracing::info!(line, why, "a sample stays as it was changed");
    }
    Ok(())
}

/// The id that a sample of this name always has.
fn made_id(prefix: &str, name: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(format!("fourfold sample {prefix} {name}"))[..16]);
    format!("{prefix}_{:032x}", u128::from_be_bytes(bytes))
}
