//! Opaque list cursors: a position, signed, bound to one owner and one set of filters, expiring after an hour.

use std::time::Duration;

use crate::{secret::Secret, signed_token, timestamp::Timestamp};

/// How long a cursor lives (`limits.list_cursor_seconds`).
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// Encodes and decodes the cursors of one list: one operation, one owner, one set of filters.
pub struct Cursor {
    key: Secret,
    lifetime: Duration,
}

/// The text is not a valid cursor of this list: altered, of another list, owner or filter, or expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCursor;

/// What a cursor that was not altered says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position.
    pub position: String,
    /// Whether its time is over.
    pub is_expired: bool,
}

impl Cursor {
    /// The cursors of `operation` for `owner` under `filters` (any stable text that names them).
    pub fn of(secret: &Secret, operation: &str, owner: &str, filters: &str) -> Self {
        let tag = secret.derive("cursor").tag(&[operation.as_bytes(), owner.as_bytes(), filters.as_bytes()]);
        Self { key: Secret::from_bytes(tag), lifetime: LIFETIME }
    }

    /// The same, each good for so long.
    pub fn living(self, lifetime: Duration) -> Self {
        Self { lifetime, ..self }
    }

    /// The cursor that continues after `position`, good for [`LIFETIME`] from `now` unless another time was said.
    pub fn encode(&self, position: &str, now: Timestamp) -> String {
        let mut body = now.plus(self.lifetime).seconds().to_be_bytes().to_vec();
        body.extend_from_slice(position.as_bytes());
        signed_token::sign(body, &self.key)
    }

    /// The position in `text`.
    pub fn decode(&self, text: &str, now: Timestamp) -> Result<String, InvalidCursor> {
        let Place { position, is_expired } = self.place(text, now)?;
        if is_expired { Err(InvalidCursor) } else { Ok(position) }
    }

    /// The position in `text`, where it matters whether a cursor is none or has expired.
    pub fn place(&self, text: &str, now: Timestamp) -> Result<Place, InvalidCursor> {
        let body = signed_token::verify(text, &self.key).ok_or(InvalidCursor)?;
        let (expiry, position) = body.split_first_chunk().ok_or(InvalidCursor)?;
        let position = String::from_utf8(position.to_vec()).map_err(|_| InvalidCursor)?;
        Ok(Place { position, is_expired: now.seconds() >= i64::from_be_bytes(*expiry) })
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn secret() -> Secret {
        Secret::from_text("a secret of more than thirty-two bytes").expect("long enough")
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_again(position in ".{0,80}") {
            let cursor = Cursor::of(&secret(), "list", "ada", "");
            prop_assert_eq!(cursor.decode(&cursor.encode(&position, NOW), NOW), Ok(position));
        }

        #[test]
        fn one_altered_byte_is_refused(position in "[a-z0-9]{1,20}", at in 0usize..60, bit in 0u8..8) {
            let cursor = Cursor::of(&secret(), "list", "ada", "");
            let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.encode(&position, NOW)).expect("our own base64");
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(cursor.decode(&BASE64_URL_SAFE_NO_PAD.encode(bytes), NOW), Err(InvalidCursor));
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,120}") {
            prop_assert_eq!(Cursor::of(&secret(), "list", "ada", "").decode(&text, NOW), Err(InvalidCursor));
        }
    }

    #[test]
    fn another_owner_operation_or_filter_is_refused() {
        let encoded = Cursor::of(&secret(), "list", "ada", "type=note").encode("7", NOW);
        for (operation, owner, filters) in
            [("list", "bob", "type=note"), ("search", "ada", "type=note"), ("list", "ada", "")]
        {
            assert_eq!(Cursor::of(&secret(), operation, owner, filters).decode(&encoded, NOW), Err(InvalidCursor));
        }
    }

    #[test]
    fn a_cursor_expires_after_an_hour() {
        let cursor = Cursor::of(&secret(), "list", "ada", "");
        let encoded = cursor.encode("7", NOW);
        assert!(cursor.decode(&encoded, NOW.plus(LIFETIME - Duration::from_secs(1))).is_ok());
        assert_eq!(cursor.decode(&encoded, NOW.plus(LIFETIME)), Err(InvalidCursor));
    }
}
