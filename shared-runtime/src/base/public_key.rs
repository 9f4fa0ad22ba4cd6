//! An Ed25519 public key that is not weak.

use base64::{Engine, prelude::BASE64_STANDARD};
use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Binary,
};
use ed25519_dalek::{VerifyingKey, pkcs8::DecodePublicKey as _};

/// Under a weak key (of small order) anyone could sign anything. Stored as its 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Reads base64 of the 32 bytes, or PEM (SubjectPublicKeyInfo).
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.starts_with("-----BEGIN") {
            let key = VerifyingKey::from_public_key_pem(text);
            return key.map_err(|_| "must be the PEM of an Ed25519 public key")?.try_into();
        }
        let bytes = BASE64_STANDARD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        Self::from_bytes(&bytes.ok_or("must be the base64 of 32 bytes")?)
    }

    /// Reads a command's argument: the key as text, or `@FILE`.
    pub fn from_argument(argument: &str) -> Result<Self, String> {
        let Some(path) = argument.strip_prefix('@') else { return Ok(Self::parse(argument)?) };
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Self::parse(&text).map_err(|rule| format!("{path}: {rule}"))
    }

    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, &'static str> {
        VerifyingKey::from_bytes(bytes).map_err(|_| "must be an Ed25519 public key")?.try_into()
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0
    }
}

impl TryFrom<VerifyingKey> for PublicKey {
    type Error = &'static str;

    fn try_from(key: VerifyingKey) -> Result<Self, Self::Error> {
        if key.is_weak() {
            return Err("must not be a weak key (of small order): anyone could sign for it");
        }
        // RFC 8032 §5.1.3: other verifiers refuse these bytes, and so would doubt what we accepted.
        if key.to_edwards().compress().as_bytes() != key.as_bytes() {
            return Err("must be the canonical form of an Ed25519 public key");
        }
        Ok(Self(key))
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&BASE64_STANDARD.encode(self.as_bytes()))
    }
}

impl<DB: Backend> ToSql<Binary, DB> for PublicKey
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.as_bytes().as_slice().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Binary, DB> for PublicKey
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = <[u8; 32]>::try_from(Vec::from_sql(bytes)?).map_err(|_| "a stored key is not 32 bytes")?;
        Ok(Self::from_bytes(&bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{SigningKey, pkcs8::EncodePublicKey as _};

    use super::*;

    #[test]
    fn a_key_is_read_from_base64_and_from_pem() {
        let key = SigningKey::from_bytes(&[7; 32]).verifying_key();
        let pem = key.to_public_key_pem(Default::default()).expect("PEM");
        let key = PublicKey::try_from(key).expect("a strong key");
        assert_eq!(PublicKey::parse(&key.to_string()), Ok(key));
        assert_eq!(PublicKey::parse(&pem), Ok(key));
    }

    #[test]
    fn weak_keys_and_other_texts_are_refused() {
        let mut identity = [0; 32];
        identity[0] = 1;
        // Points of order 4 and 1, and bytes that are not a point.
        let mut nowhere = [0; 32];
        nowhere[0] = 2;
        // y of p and more: the same points have a smaller y.
        let mut large = [0xff; 32];
        (large[0], large[31]) = (0xf0, 0x7f);
        for bytes in [[0; 32], identity, nowhere, [0xff; 32], large] {
            assert!(PublicKey::parse(&BASE64_STANDARD.encode(bytes)).is_err(), "{bytes:?}");
        }
        for text in ["", "AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"] {
            assert!(PublicKey::parse(text).is_err(), "{text}");
        }
    }
}
