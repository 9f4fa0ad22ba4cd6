//! A checkpoint of before, as somebody has kept it in a file.

use std::{fs, path::Path};

use crate::tlog::{SignedCheckpoint, note};

/// Reads it.
pub fn read(path: &Path) -> Result<SignedCheckpoint, String> {
    let of = |rule: String| format!("{}: {rule}", path.display());
    let length = fs::metadata(path).map_err(|error| of(error.to_string()))?.len();
    if length > note::MAX_BYTES as u64 {
        return Err(of(format!("must have at most {} bytes, has {length}", note::MAX_BYTES)));
    }
    let bytes = fs::read(path).map_err(|error| of(error.to_string()))?;
    SignedCheckpoint::parse(&bytes).map_err(|malformed| of(malformed.to_string()))
}
