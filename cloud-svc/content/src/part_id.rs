//! The ids of parts of content: blocks, pages, slides and elements.

use shared_model::Random;

shared_model::text_type! {
    /// 1 to 64 letters, digits, underscores and hyphens.
    pub struct PartId {
        pattern = "^[A-Za-z0-9_-]{1,64}$",
        example = "title",
        rule = "must be 1 to 64 letters, digits, underscores and hyphens",
        check = |text| {
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
            (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
        },
    }
}

impl PartId {
    /// A new id of 128 random bits, for example `b_…`.
    pub fn random(prefix: char, random: &Random) -> Self {
        Self(format!("{prefix}_{}", hex::encode(random.bytes16())))
    }
}
