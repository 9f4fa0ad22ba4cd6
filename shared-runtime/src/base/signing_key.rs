//! Ed25519 signing keys in files of the operator's.

use std::{fs, path::Path};

use ed25519_dalek::{SigningKey, pkcs8::DecodePrivateKey as _};

/// Reads a key as `openssl genpkey -algorithm ed25519` writes it (PKCS#8 PEM); an error names the file.
pub fn read(path: &Path) -> Result<SigningKey, String> {
    let pem = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SigningKey::from_pkcs8_pem(&pem)
        .map_err(|error| format!("{}: not an Ed25519 key in PKCS#8 PEM: {error}", path.display()))
}
