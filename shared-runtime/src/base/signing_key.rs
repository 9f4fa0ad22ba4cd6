//! Ed25519 signing keys in files.

use std::{
    fs,
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use ed25519_dalek::{
    SigningKey,
    pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, KeypairBytes, spki::der::pem::LineEnding},
};

use super::atomic_file::AtomicFile;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFile {
    /// Provided by the operator; it must exist.
    Provided(PathBuf),
    Generated(PathBuf),
}

impl KeyFile {
    /// The error names the file.
    pub fn read(&self) -> Result<SigningKey, String> {
        let (Self::Provided(path) | Self::Generated(path)) = self;
        let key = read(path)?;
        match key.to_bytes() {
            [first, rest @ ..] if rest.iter().all(|byte| *byte == first) => {
                Err(format!("{}: must be a random key, not one repeated byte", path.display()))
            }
            _ => Ok(key),
        }
    }

    /// Reads the key, and creates it first if it is missing and may be created. If another process creates it at the
    /// same time, both read the same key.
    pub fn read_or_make(&self) -> Result<SigningKey, String> {
        if let Self::Generated(path) = self
            && !path.exists()
            && let Err(error) = make(path)
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(format!("{}: {error}", path.display()));
        }
        self.read()
    }
}

fn make(path: &Path) -> io::Result<()> {
    // Every program reads the form without the public key (RFC 8410 §7).
    let pair = KeypairBytes { secret_key: rand::random(), public_key: None };
    let pem = pair.to_pkcs8_pem(LineEnding::LF).map_err(io::Error::other)?;
    let mut file = AtomicFile::create(path)?;
    file.write_all(pem.as_bytes())?;
    file.persist_new()
}

/// Reads a key as `openssl genpkey -algorithm ed25519` writes it (PKCS#8 PEM). The error names the file.
pub fn read(path: &Path) -> Result<SigningKey, String> {
    let pem = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SigningKey::from_pkcs8_pem(&pem)
        .map_err(|error| format!("{}: not an Ed25519 key in PKCS#8 PEM: {error}", path.display()))
}
