//! Ed25519 signing keys in files of the operator's.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use ed25519_dalek::{
    SigningKey,
    pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, spki::der::pem::LineEnding},
};

use super::atomic_file::AtomicFile;

/// Reads a key as `openssl genpkey -algorithm ed25519` writes it (PKCS#8 PEM); an error names the file.
pub fn read(path: &Path) -> Result<SigningKey, String> {
    let pem = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SigningKey::from_pkcs8_pem(&pem)
        .map_err(|error| format!("{}: not an Ed25519 key in PKCS#8 PEM: {error}", path.display()))
}

/// The same; where there is no file, it is made with a new key, for its owner alone to read. Of several processes that make
/// it at once, all get the same key.
pub fn read_or_make(path: &Path) -> Result<SigningKey, String> {
    let unusable = |error: io::Error| format!("{}: {error}", path.display());
    if !path.try_exists().map_err(unusable)? {
        let key = SigningKey::from_bytes(&rand::random());
        let pem = key.to_pkcs8_pem(LineEnding::LF).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut file = AtomicFile::create(path).map_err(unusable)?;
        file.write_all(pem.as_bytes()).map_err(unusable)?;
        match file.persist_new() {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unusable(error)),
            Err(_) | Ok(()) => {}
        }
    }
    read(path)
}
