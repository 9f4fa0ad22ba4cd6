//! Strong entity tags (RFC 9110 §8.8.3): 64 lowercase hexadecimal digits in double quotes.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Etag([u8; 32]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// A strong tag of our form.
    Exactly(Etag),
    /// A weak tag, which never matches (RFC 9110 §13.1.1).
    Weak,
    /// The beginning of a strong tag: half of a MAC is as good as the whole to tell states apart.
    Beginning([u8; 8]),
    /// A well-formed tag that we never issue, so it never matches.
    Foreign,
}

impl Etag {
    /// `bytes` is a hash or a MAC of the version.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the quoted form; `None` for anything else, also for weak tags.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('"')?.strip_suffix('"')?;
        let mut bytes = [0; 32];
        // One spelling per tag, so that tags can be compared as text.
        if digits.bytes().any(|b| b.is_ascii_uppercase()) {
            return None;
        }
        hex::decode_to_slice(digits, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// `*`, or a list of tags (RFC 9110 §13.1.2).
    pub fn matches_if_none_match(&self, if_none_match: &str) -> bool {
        let own = self.to_string();
        if_none_match.trim() == "*"
            || if_none_match.split(',').map(str::trim).any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == own)
    }
}

impl IfMatch {
    /// Parses a header with exactly one tag. The error is the rule, for `*`, a list or no tag.
    pub fn parse(header: &str) -> Result<Self, &'static str> {
        const RULE: &str = "must be exactly one entity tag in double quotes";
        let header = header.trim();
        let opaque = header.strip_prefix("W/").unwrap_or(header);
        let inner = opaque.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(RULE)?;
        if !inner.bytes().all(|b| b == 0x21 || (0x23..=0x7e).contains(&b) || b >= 0x80) {
            return Err(RULE);
        }
        // Tags that cannot match are parsed all the same: the client gets a 412 with the current tag, not a 400.
        let other = if opaque.len() < header.len() { Self::Weak } else { Self::Foreign };
        Ok(Etag::parse(header).map_or(other, Self::Exactly))
    }
}

impl IfMatch {
    /// Parses what an agent sends: the first 16 digits of a tag, without quotes, or what a header has.
    pub fn parse_short(text: &str) -> Result<Self, &'static str> {
        let digits = text.trim().trim_matches('"');
        let mut beginning = [0; 8];
        match hex::decode_to_slice(digits, &mut beginning) {
            Ok(()) => Ok(Self::Beginning(beginning)),
            Err(_) => Self::parse(text).map_err(|_| "must be the first 16 digits of an ETag, or a whole one"),
        }
    }

    /// Whether it is this tag.
    pub fn matches(self, tag: Etag) -> bool {
        match self {
            Self::Exactly(seen) => seen == tag,
            Self::Beginning(seen) => tag.0.starts_with(&seen),
            Self::Weak | Self::Foreign => false,
        }
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'"'; 2 + 2 * 32];
        hex::encode_to_slice(self.0, &mut text[1..65]).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
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

impl<'de> Deserialize<'de> for Etag {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = String::deserialize(input)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("must be a strong entity tag"))
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
    fn a_tag_that_we_never_issue_is_parsed_if_it_is_well_formed() {
        for header in ["\"!#~\"", "\"é\"", "\"\""] {
            assert_eq!(IfMatch::parse(header), Ok(IfMatch::Foreign), "{header}");
        }
        for header in ["\"a b\"", "\"a\u{7f}\""] {
            assert!(IfMatch::parse(header).is_err(), "{header}");
        }
    }

    #[test]
    fn an_agent_sends_a_whole_tag_or_its_beginning() {
        let [tag, other] = [7, 8].map(|byte| Etag::from_bytes([byte; 32]));
        for text in ["0707070707070707", "\"0707070707070707\"", &tag.to_string()] {
            let seen = IfMatch::parse_short(text).expect(text);
            assert_eq!((seen.matches(tag), seen.matches(other)), (true, false), "{text}");
        }
        for text in [&format!("W/{tag}"), "\"other\""] {
            assert!(!IfMatch::parse_short(text).expect(text).matches(tag), "{text}");
        }
        assert!(IfMatch::parse_short("07").is_err());
    }

    #[test]
    fn if_none_match_compares_weakly_over_a_list() {
        let tag = Etag::from_bytes([7; 32]);
        assert!(tag.matches_if_none_match("*"));
        assert!(tag.matches_if_none_match(&format!("\"x\", W/{tag}")));
        assert!(!tag.matches_if_none_match("\"x\""));
    }
}
