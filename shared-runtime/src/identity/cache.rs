//! A cache of verified tokens, so that a signature is verified once and not on every request.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{claims::Identity, keys::Key};
use crate::base::bounded_cache::BoundedCache;

const MAX_TOKENS: usize = 10_000;

/// Valid until the token expires or the key is withdrawn.
#[derive(Clone, Debug)]
pub struct VerifiedToken {
    pub identity: Arc<Identity>,
    pub key: Arc<Key>,
}

/// Keyed by SHA-256: a dump of the memory shows no token.
#[derive(Debug)]
pub struct VerifiedTokens(BoundedCache<[u8; 32], VerifiedToken>);

impl Default for VerifiedTokens {
    fn default() -> Self {
        Self(BoundedCache::of(MAX_TOKENS))
    }
}

impl VerifiedTokens {
    pub fn digest(token: &str) -> [u8; 32] {
        Sha256::digest(token.as_bytes()).into()
    }

    /// The caller must check expiry and key.
    pub fn get(&self, digest: &[u8; 32]) -> Option<VerifiedToken> {
        self.0.lock().get(digest).cloned()
    }

    pub fn insert(&self, digest: [u8; 32], verified: VerifiedToken) {
        self.0.lock().put(digest, verified);
    }
}
