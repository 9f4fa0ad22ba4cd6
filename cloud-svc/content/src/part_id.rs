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
    /// The length of a random id.
    pub const RANDOM_BYTES: usize = 14;

    /// A new id, for example `b_3f9c2a71d05e`.
    // Unique in one file, where edits refuse an id that is or was in use. Agents pay for each digit.
    pub fn random(prefix: char, random: &Random) -> Self {
        Self(format!("{prefix}_{}", hex::encode(&random.bytes16()[..6])))
    }
}
