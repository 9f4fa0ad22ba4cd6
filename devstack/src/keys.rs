//! Ed25519 signing keys, made once and kept: PKCS#8 PEM, readable by their owner only.

use std::path::PathBuf;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{
    SigningKey,
    pkcs8::{EncodePrivateKey as _, KeypairBytes, spki::der::pem::LineEnding},
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_runtime::{base::signing_key, identity::mint};

use crate::{
    error::{StackError, cannot},
    home::Home,
};

/// The issuer's key.
pub const ISSUER: &str = "issuer.pem";
/// The key of whoever attests the sample rooms' image.
pub const ATTESTOR: &str = "attestor.pem";
/// The market events' signer's key.
pub const SIGNER: &str = "signer.pem";

/// The key of the log of market events, which the service makes.
pub const LOG: &str = "log.pem";

/// A secret: 32 random bytes, which may stand in a URL.
pub fn random_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// A signing key in a file.
#[derive(Clone)]
pub struct KeptKey {
    /// Where it is.
    pub file: PathBuf,
    /// The key.
    pub key: SigningKey,
}

impl KeptKey {
    /// The key in the file `name`, made if there is none.
    pub fn load_or_make(home: &Home, name: &str) -> Result<Self, StackError> {
        home.kept(name, || {
            // The plain form without the public key is the one that every program reads (RFC 8410 §7).
            let pair = KeypairBytes { secret_key: rand::random(), public_key: None };
            let pem = pair.to_pkcs8_pem(LineEnding::LF).map_err(cannot("write a key as PEM"))?;
            Ok(pem.to_string())
        })?;
        Self::load(home, name)
    }

    /// The key in the file `name`.
    pub fn load(home: &Home, name: &str) -> Result<Self, StackError> {
        let file = home.path(name);
        let key = signing_key::read(&file).map_err(StackError::new)?;
        Ok(Self { file, key })
    }

    /// The document that publishes the public half.
    pub fn jwks(&self) -> Value {
        mint::jwks(&[(&self.kid(), self.key.verifying_key())])
    }

    /// The key's id: its thumbprint (RFC 7638 §3).
    pub fn kid(&self) -> String {
        let x = BASE64_URL_SAFE_NO_PAD.encode(self.key.verifying_key().as_bytes());
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(members))
    }
}
