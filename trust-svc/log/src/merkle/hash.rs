//! The hashes of a Merkle tree: SHA-256 of a leaf, a node, and the empty tree (RFC 6962 §2.1).

use std::{fmt, str::FromStr};

use base64::{Engine as _, display::Base64Display, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

pub const RULE: &str = "must be 32 bytes in padded base64: 44 characters";

/// The hash of a leaf, a node or a whole tree. As text it is padded base64, as in C2SP's formats. `{:x}` writes
/// hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

/// The root of the empty tree: SHA-256 of zero bytes.
pub const EMPTY_ROOT: Hash = Hash([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41,
    0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

/// The hash of an entry as a leaf.
pub fn leaf_hash(entry: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    // Leaves begin with 0x00 and nodes with 0x01. So no entry has the hash of a node. Otherwise one could forge a proof
    // for an entry that consists of two hashes.
    hasher.update([0x00]);
    hasher.update(entry);
    Hash(hasher.finalize().into())
}

/// The hash of the node above two nodes.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut bytes = [0x01; 65];
    bytes[1..33].copy_from_slice(&left.0);
    bytes[33..].copy_from_slice(&right.0);
    Hash(Sha256::digest(bytes).into())
}

impl Hash {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

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
        // Checked first, so that a long text is not decoded in vain.
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

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_root_of_the_empty_tree_is_the_hash_of_zero_bytes() {
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
