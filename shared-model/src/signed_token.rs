//! Tokens that anyone can read and only the service can make: fixed-width fields, then text, under a message
//! authentication code.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;

use crate::secret::Secret;

// Half of an HMAC-SHA-256. 128 bits cannot be guessed, and tokens stay short.
const TAG_BYTES: usize = 16;

#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    // The reader must ask for the same widths in the same order: a token does not describe itself.
    pub fn field<const BYTES: usize>(mut self, value: [u8; BYTES]) -> Self {
        self.0.extend_from_slice(&value);
        self
    }

    /// The token as URL-safe text, with `text` after the fields.
    pub fn sign(mut self, text: &str, key: &Secret) -> String {
        self.0.extend_from_slice(text.as_bytes());
        let tag = key.tag(&[&self.0]);
        self.0.extend_from_slice(&tag[..TAG_BYTES]);
        BASE64_URL_SAFE_NO_PAD.encode(self.0)
    }
}

pub struct Reader {
    body: Vec<u8>,
    at: usize,
}

impl Reader {
    /// `None` for text that was not signed with this key.
    pub fn verify(token: &str, key: &Secret) -> Option<Self> {
        let mut body = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
        let tag = body.split_off(body.len().checked_sub(TAG_BYTES)?);
        // Constant time: a comparison that stops early would reveal how many bytes were right.
        bool::from(key.tag(&[&body])[..TAG_BYTES].ct_eq(&tag)).then_some(Self { body, at: 0 })
    }

    /// `None` when fewer bytes are left.
    pub fn field<const BYTES: usize>(&mut self) -> Option<[u8; BYTES]> {
        let field = *self.body[self.at..].first_chunk()?;
        self.at += BYTES;
        Some(field)
    }

    /// The text after the fields.
    pub fn text(mut self) -> Option<String> {
        String::from_utf8(self.body.split_off(self.at)).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> Secret {
        Secret::from_bytes([9; 32])
    }

    fn token(number: i64, text: &str) -> String {
        Writer::default().field([7]).field(number.to_be_bytes()).sign(text, &key())
    }

    #[test]
    fn fields_beyond_the_end_are_missing() {
        let mut reader =
            Reader::verify(&Writer::default().field([1, 2, 3]).sign("", &key()), &key()).expect("our token");
        assert_eq!(reader.field(), Some([1, 2]));
        assert_eq!(reader.field::<2>(), None);
        assert_eq!(reader.field(), Some([3]));
        assert_eq!(reader.text().as_deref(), Some(""));
    }

    proptest! {
        #[test]
        fn signed_fields_and_text_are_read_back(number: i64, text in "\\PC{0,40}") {
            let token = token(number, &text);
            prop_assert!(token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert!(Reader::verify(&token, &Secret::from_bytes([8; 32])).is_none());
            let mut reader = Reader::verify(&token, &key()).expect("our token");
            prop_assert_eq!((reader.field(), reader.field().map(i64::from_be_bytes)), (Some([7]), Some(number)));
            prop_assert_eq!(reader.text(), Some(text));
        }

        #[test]
        fn altered_and_shortened_tokens_are_refused(
            number: i64, text in "\\PC{0,40}", at in any::<prop::sample::Index>(), other in "\\PC",
        ) {
            let token = token(number, &text);
            let at = at.index(token.len());
            let altered = format!("{}{other}{}", &token[..at], &token[at + 1..]);
            prop_assert!(altered == token || Reader::verify(&altered, &key()).is_none());
            prop_assert!(Reader::verify(&token[..at], &key()).is_none());
        }

        #[test]
        fn arbitrary_text_is_refused_and_never_panics(text in "\\PC{0,200}") {
            prop_assert!(Reader::verify(&text, &key()).is_none());
        }
    }
}
