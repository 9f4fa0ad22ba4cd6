//! Where an issuer's key set is read from: an https URL, a URL of this very machine, or a file.

use std::{
    error::Error,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use reqwest::{Client, StatusCode, redirect};

use super::settings::JwksSource;
use crate::base::{
    limited_body::{self, BodyError},
    tls,
};

/// A key set is a few kilobytes; what is longer is none.
const MAX_BYTES: usize = 256 * 1024;
/// How long an issuer may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Reads the issuer's key set.
#[derive(Debug)]
pub struct Jwks {
    source: JwksSource,
    /// When the file was last changed, as far as it has been read.
    read: Mutex<Option<SystemTime>>,
}

/// Why the key set could not be read, for the log.
pub type Unread = Box<dyn Error + Send + Sync>;

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
    pub async fn read(&self) -> Result<Vec<u8>, Unread> {
        match &self.source {
            JwksSource::Url(url) => fetch(url).await,
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
fn read_file(path: &PathBuf) -> Result<Vec<u8>, Unread> {
    if path.metadata()?.len() > MAX_BYTES as u64 {
        return Err(too_long());
    }
    Ok(std::fs::read(path)?)
}

async fn fetch(url: &str) -> Result<Vec<u8>, Unread> {
    let response = client(url)?.get(url).header("accept", "application/json").send().await.map_err(plain)?;
    if response.status() != StatusCode::OK {
        return Err(format!("the issuer answered {}", response.status()).into());
    }
    let body: reqwest::Body = response.into();
    limited_body::read(body, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLong => too_long(),
        BodyError::Broken(error) => plain(error),
    })
}

/// A client for one fetch: fetches are minutes apart, so nothing is kept open, and new root certificates are seen.
fn client(url: &str) -> Result<Client, Unread> {
    tls::install_cryptography();
    let builder = Client::builder().timeout(TIMEOUT).redirect(redirect::Policy::none());
    if url.starts_with("https://") {
        Ok(builder.https_only(true).build()?)
    } else {
        // Plain http is for this very machine: no proxy, and no certificate is ever looked at.
        Ok(builder.no_proxy().tls_certs_only([]).build()?)
    }
}

fn plain(error: reqwest::Error) -> Unread {
    error.without_url().into()
}

fn too_long() -> Unread {
    format!("the JWKS is longer than {MAX_BYTES} bytes").into()
}
