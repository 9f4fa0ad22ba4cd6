//! The name of a block within its document.

use shared_runtime::base::random::Random;

shared_model::text_type! {
    /// 1 to 64 letters, digits, underscores and hyphens.
    pub struct BlockId {
        pattern = "^[A-Za-z0-9_-]{1,64}$",
        example = "title",
        rule = "must be 1 to 64 letters, digits, underscores and hyphens",
        check = |text| {
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
            (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
        },
    }
}

impl BlockId {
    /// An id of 128 random bits, which no block of any document has.
    pub fn random(random: &Random) -> Self {
        Self(format!("b_{}", hex::encode(random.bytes16())))
    }
}
