//! Where the issuer's key set is read from: an https URL, a URL of this machine, or a file.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use super::{
    issuer_client::{self, Unreachable},
    settings::JwksSource,
};

// A key set has a few kilobytes.
const MAX_BYTES: usize = 256 * 1024;

#[derive(Debug)]
pub struct Jwks {
    source: JwksSource,
    /// The file's modification time when it was last read.
    read: Mutex<Option<SystemTime>>,
}

impl Jwks {
    pub fn at(source: JwksSource) -> Self {
        Self { source, read: Mutex::new(None) }
    }

    pub fn source(&self) -> &JwksSource {
        &self.source
    }

    pub async fn read(&self) -> Result<Vec<u8>, Unreachable> {
        match &self.source {
            JwksSource::Url(url) => issuer_client::fetch(url).await,
            JwksSource::File(path) => {
                let changed = changed_at(path);
                let bytes = read_file(path)?;
                self.note_change(changed);
                Ok(bytes)
            }
        }
    }

    /// True when the file has changed since it was read. Always false for a URL.
    pub fn has_changed(&self) -> bool {
        match &self.source {
            JwksSource::Url(_) => false,
            JwksSource::File(path) => {
                let changed = changed_at(path);
                changed.is_some() && changed != *self.read.lock().unwrap_or_else(PoisonError::into_inner)
            }
        }
    }

    pub fn cooldown(&self) -> Option<Duration> {
        matches!(self.source, JwksSource::File(_)).then_some(Duration::from_secs(1))
    }

    pub fn watch_interval(&self) -> Option<Duration> {
        matches!(self.source, JwksSource::File(_)).then_some(Duration::from_secs(2))
    }

    fn note_change(&self, changed: Option<SystemTime>) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = changed;
    }
}

fn changed_at(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

// Not on another thread: a local file of a few kilobytes.
fn read_file(path: &PathBuf) -> Result<Vec<u8>, Unreachable> {
    if path.metadata()?.len() > MAX_BYTES as u64 {
        return Err(too_long());
    }
    Ok(std::fs::read(path)?)
}

fn too_long() -> Unreachable {
    format!("the JWKS is longer than {MAX_BYTES} bytes").into()
}
