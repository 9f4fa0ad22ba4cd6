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

/// Where a service's own key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// In a file of the operator's, which is there.
    Given(PathBuf),
    /// In a file beside the database, which the service makes when it first needs the key.
    Kept(PathBuf),
}

impl KeyPlace {
    /// The key; an error names the file.
    pub fn read(&self) -> Result<SigningKey, String> {
        let (Self::Given(path) | Self::Kept(path)) = self;
        let key = read(path)?;
        match key.to_bytes() {
            [first, rest @ ..] if rest.iter().all(|byte| *byte == first) => {
                Err(format!("{}: must be a random key, not one repeated byte", path.display()))
            }
            _ => Ok(key),
        }
    }

    /// The key, made if there is none and it may be made. A process that makes one at the same time is no error: both
    /// have the same one then.
    pub fn read_or_make(&self) -> Result<SigningKey, String> {
        if let Self::Kept(path) = self
            && !path.exists()
            && let Err(error) = make(path)
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(format!("{}: {error}", path.display()));
        }
        self.read()
    }
}

/// Makes a key in a new file that its owner alone can read.
fn make(path: &Path) -> io::Result<()> {
    // The plain form without the public key is the one that every program reads (RFC 8410 §7).
    let pair = KeypairBytes { secret_key: rand::random(), public_key: None };
    let pem = pair.to_pkcs8_pem(LineEnding::LF).map_err(io::Error::other)?;
    let mut file = AtomicFile::create(path)?;
    file.write_all(pem.as_bytes())?;
    file.persist_new()
}

/// Reads a key as `openssl genpkey -algorithm ed25519` writes it (PKCS#8 PEM); an error names the file.
pub fn read(path: &Path) -> Result<SigningKey, String> {
    let pem = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SigningKey::from_pkcs8_pem(&pem)
        .map_err(|error| format!("{}: not an Ed25519 key in PKCS#8 PEM: {error}", path.display()))
}
