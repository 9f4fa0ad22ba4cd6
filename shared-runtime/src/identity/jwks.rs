//! Where an issuer's key set is read from: an https URL, a URL of this very machine, or a file.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use super::{
    asking::{self, Unasked},
    settings::JwksSource,
};

/// A key set is a few kilobytes; what is longer is none.
const MAX_BYTES: usize = 256 * 1024;

/// Reads the issuer's key set.
#[derive(Debug)]
pub struct Jwks {
    source: JwksSource,
    /// When the file was last changed, as far as it has been read.
    read: Mutex<Option<SystemTime>>,
}

impl Jwks {
    /// The key set at `source`.
    pub fn at(source: JwksSource) -> Self {
        Self { source, read: Mutex::new(None) }
    }

    /// Where it is.
    pub fn source(&self) -> &JwksSource {
        &self.source
    }

    /// The document as it is now.
    pub async fn read(&self) -> Result<Vec<u8>, Unasked> {
        match &self.source {
            JwksSource::Url(url) => asking::fetch(url).await,
            JwksSource::File(path) => {
                let changed = changed_at(path);
                let bytes = read_file(path)?;
                self.noted(changed);
                Ok(bytes)
            }
        }
    }

    /// Whether the file has been changed since it was read; of a URL that is not known.
    pub fn has_changed(&self) -> bool {
        match &self.source {
            JwksSource::Url(_) => false,
            JwksSource::File(path) => {
                let changed = changed_at(path);
                changed.is_some() && changed != *self.read.lock().unwrap_or_else(PoisonError::into_inner)
            }
        }
    }

    /// The shortest pause between two reads of a file, which are cheap.
    pub fn cooldown(&self) -> Option<Duration> {
        matches!(self.source, JwksSource::File(_)).then_some(Duration::from_secs(1))
    }

    /// How often to look whether it has changed, where looking is cheap.
    pub fn watch_interval(&self) -> Option<Duration> {
        matches!(self.source, JwksSource::File(_)).then_some(Duration::from_secs(2))
    }

    fn noted(&self, changed: Option<SystemTime>) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = changed;
    }
}

fn changed_at(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

/// A file of our own machine, a few kilobytes: read in place.
fn read_file(path: &PathBuf) -> Result<Vec<u8>, Unasked> {
    if path.metadata()?.len() > MAX_BYTES as u64 {
        return Err(too_long());
    }
    Ok(std::fs::read(path)?)
}

fn too_long() -> Unasked {
    format!("the JWKS is longer than {MAX_BYTES} bytes").into()
}
