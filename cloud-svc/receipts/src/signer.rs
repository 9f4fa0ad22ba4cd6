//! Signs statements.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::key_id::key_id;

/// A signing key and its name.
#[derive(Clone, Debug)]
pub struct Signer {
    key: SigningKey,
    key_id: String,
}

/// A statement and its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Canonical JSON.
    pub statement: String,
    /// SHA-256 of the statement, in hexadecimal digits. The next receipt names it.
    pub sha256: String,
    /// Base64.
    pub signature: String,
}

impl Signer {
    pub fn new(key: SigningKey) -> Self {
        let key_id = key_id(key.verifying_key().as_bytes());
        Self { key, key_id }
    }

    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    pub fn public_key(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    pub fn sign(&self, statement: &Value) -> Signed {
        // Canonical, so that a verifier can parse the statement and write the same bytes again.
        let statement = canonical_json::value_text(statement);
        let signature = BASE64_STANDARD.encode(self.key.sign(statement.as_bytes()).to_bytes());
        let sha256 = hex::encode(Sha256::digest(statement.as_bytes()));
        Signed { statement, sha256, signature }
    }
}

impl Signed {
    /// As a line of a file that can be verified.
    pub fn line(&self) -> String {
        let Self { statement, signature, .. } = self;
        // Base64 needs no escapes, and the statement is JSON already.
        format!(r#"{{"signature":"{signature}","statement":{statement}}}"#)
    }
}
