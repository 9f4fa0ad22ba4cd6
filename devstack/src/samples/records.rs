//! Records as a file of JSON lines would bring them in.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_runtime::{
    Context,
    import::{Importer, Mode},
};

use crate::error::StackError;

/// Brings records in as a file of JSON lines would.
pub async fn import<T: Send + Sync + 'static>(
    context: &Context,
    importer: Importer<T>,
    records: impl IntoIterator<Item = Value>,
) -> Result<(), StackError> {
    let lines: String = records.into_iter().map(|record| format!("{record}\n")).collect();
    let (_, refused) = importer.run_text(context, lines, Mode::EachBatch).await?;
    for (line, why) in refused {
        // Somebody has imported a newer version of a sample. It is theirs now.
        tracing::info!(line, why, "a sample stays as it was changed");
    }
    Ok(())
}

/// The id that a sample of this name always has.
pub fn made_id(prefix: &str, name: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(format!("fourfold sample {prefix} {name}"))[..16]);
    format!("{prefix}_{:032x}", u128::from_be_bytes(bytes))
}
