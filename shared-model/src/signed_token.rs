//! Bytes as URL-safe text with a message authentication code: anyone can read them, only the service can make them.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;

use crate::secret::Secret;

/// The code is the first half of an HMAC-SHA-256: 128 bits.
const TAG_BYTES: usize = 16;

/// The token that carries `body`.
pub fn sign(mut body: Vec<u8>, key: &Secret) -> String {
    let tag = key.tag(&[&body]);
    body.extend_from_slice(&tag[..TAG_BYTES]);
    BASE64_URL_SAFE_NO_PAD.encode(body)
}

/// What a token carries; `None` for text that was not signed with this key.
pub fn verify(token: &str, key: &Secret) -> Option<Vec<u8>> {
    let mut body = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
    let tag = body.split_off(body.len().checked_sub(TAG_BYTES)?);
    bool::from(key.tag(&[&body])[..TAG_BYTES].ct_eq(&tag)).then_some(body)
}
