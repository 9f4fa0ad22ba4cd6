//! Fetches a log over HTTP, with bounds on bytes and time. Waits when the log limits its readers.

use std::{collections::HashMap, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{Client, StatusCode, header::RETRY_AFTER, redirect};
use serde::Deserialize;
use shared_runtime::{
    PublicKey,
    base::{limited_body, tls},
};
use trust_log::{
    merkle::size::TILE_WIDTH,
    tlog::{SignedCheckpoint, Tile, VerifierKey, bundle, note, tile::Content},
};

use super::Finding;
use crate::{log::key::PREFIX as LOG, model::KeyId};

const SIGNERS: &str = "/wp-json/service-trust/v1/signers?limit=100";
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
// Attempts for one URL, with the log's `Retry-After` between them. A large log is limited many times during an audit.
const MAX_ATTEMPTS: u32 = 20;
// In seconds. The log could ask for any time.
const MAX_WAIT: u64 = 60;
const MAX_BUNDLE_BYTES: usize = TILE_WIDTH as usize * (2 + bundle::MAX_ENTRY);
const MAX_SIGNERS_BYTES: usize = 4 * 1024 * 1024;
// A log that always names a next page must not keep the audit busy forever.
const MAX_SIGNERS_PAGES: usize = 1000;

pub struct Source {
    client: Client,
    base_url: String,
}

#[derive(Deserialize)]
struct Page {
    data: Vec<ListedSigner>,
    meta: Meta,
}

#[derive(Deserialize)]
struct ListedSigner {
    key_id: String,
    public_key: String,
}

#[derive(Deserialize)]
struct Meta {
    next_cursor: Option<String>,
}

impl Source {
    pub fn new(base_url: &str) -> Result<Self, Finding> {
        tls::install_cryptography();
        // No redirects: the bytes must come from the log that is audited.
        let client = Client::builder().redirect(redirect::Policy::none()).timeout(REQUEST_TIMEOUT).build();
        let client = client.map_err(|error| Finding::at(base_url, error))?;
        Ok(Self { client, base_url: base_url.trim_end_matches('/').to_owned() })
    }

    /// The verifier key that the log claims. Nothing proves it.
    pub async fn key(&self) -> Result<VerifierKey, Finding> {
        let bytes = self.must_get(&format!("{LOG}/key"), note::MAX_BYTES).await?;
        let text = String::from_utf8_lossy(&bytes);
        text.trim_end().parse().map_err(|malformed| Finding::at("the log's key", malformed))
    }

    pub async fn checkpoint(&self) -> Result<SignedCheckpoint, Finding> {
        let bytes = self.must_get(&format!("{LOG}/checkpoint"), note::MAX_BYTES).await?;
        SignedCheckpoint::parse(&bytes).map_err(|malformed| Finding::at("the checkpoint", malformed))
    }

    /// The bytes of a tile. If a partial tile is 404, the first part of the full one.
    pub async fn tile(&self, tile: Tile) -> Result<Vec<u8>, Finding> {
        let max = match tile.content() {
            Content::Hashes(_) => 32 * TILE_WIDTH as usize,
            Content::Entries => MAX_BUNDLE_BYTES,
        };
        if let Some(bytes) = self.get(&format!("{LOG}/{tile}"), max).await? {
            return Ok(bytes);
        }
        // C2SP tlog-tiles lets a log delete a partial tile once the full one exists.
        let whole = match tile.full() {
            full if full == tile => None,
            full => self.get(&format!("{LOG}/{full}"), max).await?,
        };
        let bytes = whole.ok_or_else(|| Finding::at(tile, "is not served (404)"))?;
        let length = match tile.content() {
            Content::Hashes(_) => 32 * usize::from(tile.width()),
            Content::Entries => bundle::length_of(&bytes, tile.width()).map_err(|error| Finding::at(tile, error))?,
        };
        bytes.get(..length).map(<[u8]>::to_vec).ok_or_else(|| Finding::at(tile, "the full tile there is too short"))
    }

    /// The keys of all signers that the service lists. Nothing proves them. `None` if it has no such list.
    pub async fn signers(&self) -> Result<Option<HashMap<KeyId, PublicKey>>, Finding> {
        let mut keys = HashMap::new();
        let mut path = SIGNERS.to_owned();
        for _ in 0..MAX_SIGNERS_PAGES {
            let Some(bytes) = self.get(&path, MAX_SIGNERS_BYTES).await? else { return Ok(None) };
            let page: Page = serde_json::from_slice(&bytes).map_err(|error| Finding::at(&path, error))?;
            for ListedSigner { key_id, public_key } in page.data {
                let of = |rule: &str| Finding::at("the list of signers", format!("{key_id}: {rule}"));
                let bytes = BASE64_STANDARD.decode(&public_key).ok().and_then(|bytes| bytes.try_into().ok());
                let bytes: [u8; 32] = bytes.ok_or_else(|| of("the key must be 32 bytes in padded base64"))?;
                let key = PublicKey::from_bytes(&bytes).map_err(of)?;
                keys.insert(key_id.parse().map_err(|rule: &str| of(rule))?, key);
            }
            // A cursor is base64url, so it needs no escapes in a URL.
            let Some(cursor) = page.meta.next_cursor else { return Ok(Some(keys)) };
            path = format!("{SIGNERS}&cursor={cursor}");
        }
        Err(Finding::at("the list of signers", format!("must have at most {MAX_SIGNERS_PAGES} pages")))
    }

    async fn must_get(&self, path: &str, max: usize) -> Result<Vec<u8>, Finding> {
        self.get(path, max).await?.ok_or_else(|| Finding::at(path, "is not served (404)"))
    }

    /// The bytes at a path; `None` for 404.
    async fn get(&self, path: &str, max: usize) -> Result<Option<Vec<u8>>, Finding> {
        let url = format!("{}{path}", self.base_url);
        for _ in 0..MAX_ATTEMPTS {
            let answer = self.client.get(&url).send().await.map_err(|error| Finding::at(path, describe(&error)))?;
            match answer.status() {
                StatusCode::OK => {
                    let body = limited_body::read(reqwest::Body::from(answer), max).await;
                    return body.map(Some).map_err(|error| match error {
                        limited_body::BodyError::TooLong => Finding::at(path, format!("must have at most {max} bytes")),
                        limited_body::BodyError::Broken(error) => Finding::at(path, describe(&error)),
                    });
                }
                StatusCode::NOT_FOUND => return Ok(None),
                StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                    let seconds = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
                    tokio::time::sleep(Duration::from_secs(seconds.unwrap_or(1).clamp(1, MAX_WAIT))).await;
                }
                status => return Err(Finding::at(path, format!("is answered with {status}"))),
            }
        }
        Err(Finding::at(path, format!("is refused for now, {MAX_ATTEMPTS} times")))
    }
}

/// An error with its causes, without the URL: the finding names the path already.
fn describe(error: &reqwest::Error) -> String {
    let mut text = String::from("no answer");
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
