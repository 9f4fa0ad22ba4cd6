//! Something to play with on every surface, brought in by importers and deeds like anything else; a restart adds nothing.

pub mod cloud;
pub mod locker;
pub mod orders;
pub mod trust;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_runtime::{Desk, import::Importer};

use crate::trouble::Trouble;

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

/// Brings records in as a file of JSON lines would.
async fn import<T: Send + Sync + 'static>(
    desk: &Desk,
    importer: &Importer<T>,
    records: impl Iterator<Item = Value>,
) -> Result<(), Trouble> {
    let lines: String = records.map(|record| format!("{record}\n")).collect();
    let mut refused: Vec<(u64, String)> = Vec::new();
    importer.run(desk, lines.as_bytes(), &mut refused).await?;
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
