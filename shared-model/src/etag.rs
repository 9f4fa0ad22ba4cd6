//! Strong entity tags: 64 lowercase hexadecimal digits in double quotes (spec: file record; RFC 9110 §8.8.3).

use std::fmt;

use serde::{Serialize, Serializer};

/// A strong entity tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Etag([u8; 32]);

/// What an `If-Match` header asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// Exactly one strong tag of our form.
    Exactly(Etag),
    /// One weak tag: it can never match (RFC 9110 §13.1.1).
    Weak,
    /// One well-formed tag that is not of our form, and so can never match.
    Foreign,
}

impl Etag {
    /// The tag of these 32 bytes, a hash or a MAC of what it names.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the quoted form; `None` for anything else, weak tags included.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('"')?.strip_suffix('"')?;
        let mut bytes = [0; 32];
        if digits.bytes().any(|b| b.is_ascii_uppercase()) {
            return None;
        }
        hex::decode_to_slice(digits, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// Whether an `If-None-Match` header names this tag: `*`, or a list with it, weak comparison (RFC 9110 §13.1.2).
    pub fn is_named_by(&self, if_none_match: &str) -> bool {
        let own = self.to_string();
        if_none_match.trim() == "*"
            || if_none_match.split(',').map(str::trim).any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == own)
    }
}

impl IfMatch {
    /// Parses an `If-Match` header that must carry one tag; `Err` with the rule for `*`, a list or no tag at all.
    pub fn parse(header: &str) -> Result<Self, &'static str> {
        const RULE: &str = "must be exactly one entity tag in double quotes";
        let header = header.trim();
        let opaque = header.strip_prefix("W/").unwrap_or(header);
        let inner = opaque.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(RULE)?;
        if inner.contains('"') || !inner.bytes().all(|b| b == 0x21 || (0x23..=0x7e).contains(&b) || b >= 0x80) {
            return Err(RULE);
        }
        let other = if opaque.len() < header.len() { Self::Weak } else { Self::Foreign };
        Ok(Etag::parse(header).map_or(other, Self::Exactly))
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", hex::encode(self.0))
    }
}

impl fmt::Debug for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Etag {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl utoipa::PartialSchema for Etag {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .pattern(Some("^\"[0-9a-f]{64}\"$"))
            .examples([Self::from_bytes([7; 32]).to_string()])
            .into()
    }
}
impl utoipa::ToSchema for Etag {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_match_takes_exactly_one_tag() {
        let tag = Etag::from_bytes([7; 32]);
        assert_eq!(IfMatch::parse(&tag.to_string()), Ok(IfMatch::Exactly(tag)));
        assert_eq!(IfMatch::parse(&format!("W/{tag}")), Ok(IfMatch::Weak));
        assert_eq!(IfMatch::parse("\"other\""), Ok(IfMatch::Foreign));
        for header in ["*", "", "abc", "\"a\", \"b\"", "\"a\"b\""] {
            assert!(IfMatch::parse(header).is_err(), "{header}");
        }
    }

    #[test]
    fn if_none_match_compares_weakly_over_a_list() {
        let tag = Etag::from_bytes([7; 32]);
        assert!(tag.is_named_by("*"));
        assert!(tag.is_named_by(&format!("\"x\", W/{tag}")));
        assert!(!tag.is_named_by("\"x\""));
    }
}
