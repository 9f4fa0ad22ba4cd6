//! Registering a signer.

use base64::{Engine, prelude::BASE64_STANDARD};
use ed25519_dalek::{VerifyingKey, pkcs8::DecodePublicKey as _};
use shared_runtime::{Conn, Failure};

use super::{Signer, store};

/// Registers a signer; `false`, and nothing changes, when its key id is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    if store::find(conn, &signer.key_id)?.is_some() {
        return Ok(false);
    }
    store::insert(conn, signer)?;
    Ok(true)
}

/// Reads a public key: base64 of its 32 bytes, or PEM (SubjectPublicKeyInfo). A weak key, under which anyone can forge,
/// is refused.
pub fn public_key(text: &str) -> Result<VerifyingKey, &'static str> {
    let text = text.trim();
    let key = if text.starts_with("-----BEGIN") {
        VerifyingKey::from_public_key_pem(text).map_err(|_| "must be the PEM of an Ed25519 public key")?
    } else {
        let bytes = BASE64_STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        let bytes: [u8; 32] = bytes.ok_or("must be the base64 of 32 bytes")?;
        VerifyingKey::from_bytes(&bytes).map_err(|_| "must be an Ed25519 public key")?
    };
    if key.is_weak() { Err("must not be a weak key (of small order): anyone could sign for it") } else { Ok(key) }
}

/// Checks that an origin is written as browsers write it (RFC 6454 §6.2), for it is compared exactly.
pub fn origin(text: &str) -> Result<String, &'static str> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = host.is_some_and(|host| {
        !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase() && b != b'/')
    });
    if is_plain {
        Ok(text.to_owned())
    } else {
        Err("must be like https://desk.example, in lower case and without a path")
    }
}

/// Checks what the ids of a signer's markets begin with.
pub fn market_prefix(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix("mkt_").ok_or("must begin with mkt_")?;
    let is_hex = digits.len() <= 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { Ok(text.to_owned()) } else { Err("must be mkt_ and up to 32 lowercase hexadecimal digits") }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{SigningKey, pkcs8::EncodePublicKey as _};

    use super::*;

    #[test]
    fn a_key_is_read_from_base64_and_from_pem() {
        let key = SigningKey::from_bytes(&[7; 32]).verifying_key();
        let pem = key.to_public_key_pem(Default::default()).expect("PEM");
        assert_eq!(public_key(&BASE64_STANDARD.encode(key.as_bytes())), Ok(key));
        assert_eq!(public_key(&pem), Ok(key));
    }

    #[test]
    fn weak_keys_and_other_texts_are_no_keys() {
        let mut identity = [0; 32];
        identity[0] = 1;
        for bytes in [[0; 32], identity, [0xff; 32]] {
            assert!(public_key(&BASE64_STANDARD.encode(bytes)).is_err(), "{bytes:?}");
        }
        for text in ["", "AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"] {
            assert!(public_key(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_and_prefixes_have_one_spelling() {
        assert!(origin("https://desk.example:8443").is_ok());
        for text in ["null", "*", "https://", "https://desk.example/", "https://Desk.example", "desk.example"] {
            assert!(origin(text).is_err(), "{text}");
        }
        assert!(market_prefix("mkt_00ff").is_ok());
        for text in ["", "mkt", "mkt_XY", "evt_00"] {
            assert!(market_prefix(text).is_err(), "{text}");
        }
    }
}
