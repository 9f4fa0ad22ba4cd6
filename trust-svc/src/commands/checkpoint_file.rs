//! Reads a saved checkpoint from a file.

use std::{fs, path::Path};

use trust_log::tlog::{SignedCheckpoint, note};

pub fn read(path: &Path) -> Result<SignedCheckpoint, String> {
    let of = |rule: String| format!("{}: {rule}", path.display());
    // Checked before the file is read: a wrong path could name a huge file.
    let length = fs::metadata(path).map_err(|error| of(error.to_string()))?.len();
    if length > note::MAX_BYTES as u64 {
        return Err(of(format!("must have at most {} bytes, has {length}", note::MAX_BYTES)));
    }
    let bytes = fs::read(path).map_err(|error| of(error.to_string()))?;
    SignedCheckpoint::parse(&bytes).map_err(|malformed| of(malformed.to_string()))
}
