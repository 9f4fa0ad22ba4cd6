//! The name of a public key, which follows from the key.

use sha2::{Digest as _, Sha256};

/// The first 16 bytes of its SHA-256, in hexadecimal digits. So nobody can publish another key under a known name.
pub fn key_id(public_key: &[u8; 32]) -> String {
    let hash: [u8; 32] = Sha256::digest(public_key).into();
    hex::encode(&hash[..16])
}
