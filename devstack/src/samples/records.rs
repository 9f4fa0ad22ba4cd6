//! Records for the importers.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_runtime::{
    Context,
    import::{Importer, Mode},
};

use crate::error::StackError;

/// Imports records as if they came from a file of JSON lines.
pub async fn import<T: Send + Sync + 'static>(
    context: &Context,
    importer: Importer<T>,
    records: impl IntoIterator<Item = Value>,
) -> Result<(), StackError> {
    let lines: String = records.into_iter().map(|record| format!("{record}\n")).collect();
    let (_, refused) = importer.run_text(context, lines, Mode::EachBatch).await?;
    for (line, why) in refused {
        // The record in the database has a higher version: somebody changed the sample. Keep their change.
        tracing::info!(line, why, "a sample was changed and stays as it is");
    }
    Ok(())
}

/// An id derived from the name, so that each start imports the same record.
pub fn made_id(prefix: &str, name: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(format!("fourfold sample {prefix} {name}"))[..16]);
    format!("{prefix}_{:032x}", u128::from_be_bytes(bytes))
}
