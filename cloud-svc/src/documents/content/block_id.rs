//! The name of a block within its document.

use std::fmt;

use serde::Serialize;
use shared_model::{FromJson, JsonReader};
use shared_runtime::base::random::Random;
use utoipa::ToSchema;

/// Characters of an id at most.
pub const MAX: usize = 64;

/// 1 to 64 letters, digits, underscores and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
pub struct BlockId(String);

impl BlockId {
    /// A fresh one: 128 random bits.
    pub fn drawn(random: &Random) -> Self {
        Self(format!("b_{}", hex::encode(random.bytes16())))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromJson for BlockId {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        let text = reader.str()?;
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if plain && (1..=MAX).contains(&text.len()) {
            Some(Self(text.to_owned()))
        } else {
            reader.refuse("must be 1 to 64 letters, digits, underscores and hyphens")
        }
    }
}
