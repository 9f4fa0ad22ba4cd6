//! The name of a signer's key: 1 to 100 visible ASCII characters, so that it fits one line of the signing text.

use std::str::FromStr;

use diesel::{deserialize::FromSqlRow, expression::AsExpression};
use shared_model::{FromJson, JsonReader};

/// A key id.
#[derive(Clone, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = diesel::sql_types::Text)]
pub struct KeyId(String);

impl KeyId {
    /// Characters at most (spec: publish).
    pub const MAX: usize = 100;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if (1..=Self::MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be 1 to 100 visible ASCII characters")
        }
    }
}

impl FromJson for KeyId {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.str()?.parse().map_or_else(|rule: &str| reader.refuse(rule), Some)
    }
}

crate::words::words!(KeyId, pattern = "^[!-~]{1,100}$", example = "desk-2026");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_id_cannot_break_the_signing_text() {
        assert!("press-2026/1".parse::<KeyId>().is_ok());
        for text in ["", "a b", "a\nb", "ä", &"x".repeat(101)] {
            assert!(text.parse::<KeyId>().is_err(), "{text:?}");
        }
    }
}
