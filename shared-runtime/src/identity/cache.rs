//! Tokens that have been verified, so that a signature is checked once and not on every request.

use std::sync::Arc;

use moka::{policy::EvictionPolicy, sync::Cache};
use sha2::{Digest, Sha256};

use super::{claims::Identity, keys::Key};

/// Tokens remembered at most; the least recently used go first.
const MAX_TOKENS: u64 = 10_000;

/// What a token has proven, and by which key. It is good until the token expires or the key is withdrawn.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Who calls.
    pub identity: Arc<Identity>,
    /// The key that signed.
    pub key: Arc<Key>,
}

/// Verified tokens by the SHA-256 of their text: the text itself is not kept.
#[derive(Debug)]
pub struct VerifiedTokens(Cache<[u8; 32], Verified>);

impl Default for VerifiedTokens {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_TOKENS).eviction_policy(EvictionPolicy::lru()).build())
    }
}

impl VerifiedTokens {
    /// Under what a token is kept.
    pub fn digest(token: &str) -> [u8; 32] {
        Sha256::digest(token.as_bytes()).into()
    }

    /// What the token has proven; whether that still holds is for the caller to check.
    pub fn get(&self, digest: &[u8; 32]) -> Option<Verified> {
        self.0.get(digest)
    }

    /// Remembers what a token has proven.
    pub fn insert(&self, digest: [u8; 32], verified: Verified) {
        self.0.insert(digest, verified);
    }
}
