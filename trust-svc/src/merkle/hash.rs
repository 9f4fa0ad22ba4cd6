//! The hashes of a Merkle tree: SHA-256 of a leaf, of a node, of nothing (RFC 6962 §2.1).

use std::{fmt, str::FromStr};

use base64::{Engine as _, display::Base64Display, prelude::BASE64_STANDARD};
use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Binary,
};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// What text must be to parse.
pub const RULE: &str = "must be 32 bytes in padded base64: 44 characters";

/// The hash of a leaf, a node or a whole tree. Text is padded base64, as in C2SP's formats; `{:x}` writes hexadecimal.
/// A column has the 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub struct Hash([u8; 32]);

/// The root of a tree without leaves: SHA-256 of nothing.
pub const EMPTY_ROOT: Hash = Hash([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41,
    0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

/// The hash of an entry as a leaf: SHA-256 of 0x00 and the entry, so that no entry can pass for a node.
pub fn leaf_hash(entry: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([0x00]);
    hasher.update(entry);
    Hash(hasher.finalize().into())
}

/// The hash of the node above two others: SHA-256 of 0x01 and both.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut bytes = [0x01; 65];
    bytes[1..33].copy_from_slice(&left.0);
    bytes[33..].copy_from_slice(&right.0);
    Hash(Sha256::digest(bytes).into())
}

impl Hash {
    /// The hash with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lowercase hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, &'static str> {
        let rule = "must be 64 lowercase hexadecimal digits";
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(rule);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| rule)?;
        Ok(Self(bytes))
    }
}

impl FromStr for Hash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The length first: a long text is not decoded for nothing.
        if text.len() != 44 {
            return Err(RULE);
        }
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| RULE)?;
        Ok(Self(bytes.try_into().map_err(|_| RULE)?))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.0, &BASE64_STANDARD).fmt(f)
    }
}

impl fmt::LowerHex for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    Hash,
    ["A SHA-256 hash of the log's Merkle tree (RFC 6962), in padded base64."],
    pattern = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
    example = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    rule = RULE
);

impl<DB: Backend> ToSql<Binary, DB> for Hash
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_slice().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Binary, DB> for Hash
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = <[u8; 32]>::try_from(Vec::from_sql(bytes)?);
        Ok(Self(bytes.map_err(|bytes| format!("a stored hash must be 32 bytes, has {}", bytes.len()))?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_empty_tree_is_the_hash_of_nothing() {
        assert_eq!(EMPTY_ROOT, Hash(Sha256::digest([]).into()));
        assert_eq!(EMPTY_ROOT.to_string(), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    proptest! {
        #[test]
        fn a_hash_is_read_as_it_is_written(bytes in any::<[u8; 32]>()) {
            let hash = Hash::from_bytes(bytes);
            prop_assert_eq!(hash.to_string().parse(), Ok(hash));
            prop_assert_eq!(Hash::from_hex(&format!("{hash:x}")), Ok(hash));
        }

        #[test]
        fn a_hash_has_one_spelling(bytes in any::<[u8; 32]>(), at in 0usize..44, other in "[A-Za-z0-9+/=_ -]") {
            let mut spelling = Hash::from_bytes(bytes).to_string();
            spelling.replace_range(at..=at, &other);
            if let Ok(hash) = spelling.parse::<Hash>() {
                prop_assert_eq!(hash.to_string(), spelling);
            }
        }

        #[test]
        fn other_text_is_no_hash(text in "\\PC{0,60}", hex in "[0-9a-fA-F]{0,70}") {
            if let Ok(hash) = text.parse::<Hash>() {
                prop_assert_eq!(hash.to_string(), text);
            }
            if let Ok(hash) = Hash::from_hex(&hex) {
                prop_assert_eq!(format!("{hash:x}"), hex);
            }
        }
    }
}
