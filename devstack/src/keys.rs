//! Ed25519 signing keys in files: PKCS#8 PEM, readable by their owner only.

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
    data_folder::DataFolder,
    error::{StackError, cannot},
};

pub const ISSUER: &str = "issuer.pem";
/// Signs attestations of the sample rooms' image.
pub const ATTESTOR: &str = "attestor.pem";
/// Signs market events.
pub const SIGNER: &str = "signer.pem";

/// Signs the log of market events. The service itself creates it.
pub const LOG: &str = "log.pem";

/// 32 random bytes as text that is safe in a URL.
pub fn random_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

#[derive(Clone)]
pub struct KeyFile {
    pub file: PathBuf,
    pub key: SigningKey,
}

impl KeyFile {
    /// Reads the key in the file `name`; creates it if the file does not exist.
    pub fn load_or_make(folder: &DataFolder, name: &str) -> Result<Self, StackError> {
        folder.read_or_write(name, || {
            // Without the public key, which the format makes optional and some programs cannot read (RFC 8410 §7).
            let pair = KeypairBytes { secret_key: rand::random(), public_key: None };
            let pem = pair.to_pkcs8_pem(LineEnding::LF).map_err(cannot("write a key as PEM"))?;
            Ok(pem.to_string())
        })?;
        Self::load(folder, name)
    }

    pub fn load(folder: &DataFolder, name: &str) -> Result<Self, StackError> {
        let file = folder.path(name);
        let key = signing_key::read(&file).map_err(StackError::new)?;
        Ok(Self { file, key })
    }

    /// The JSON Web Key Set with the public key.
    pub fn jwks(&self) -> Value {
        mint::jwks(&[(&self.kid(), self.key.verifying_key())])
    }

    /// The key's thumbprint (RFC 7638 §3).
    pub fn kid(&self) -> String {
        let x = BASE64_URL_SAFE_NO_PAD.encode(self.key.verifying_key().as_bytes());
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(members))
    }
}
