//! Opaque list cursors: a signed position, bound to one owner and one set of filters, with an expiry.

use std::time::Duration;

use crate::{
    secret::Secret,
    signed_token::{Reader, Writer},
    timestamp::Timestamp,
};

pub const LIFETIME: Duration = Duration::from_secs(3600);

pub struct Cursor {
    key: Secret,
    lifetime: Duration,
}

/// Altered, expired, or the cursor of another list, owner or filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCursor;

/// A position whose signature is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CursorPosition {
    pub position: String,
    pub is_expired: bool,
}

impl Cursor {
    /// The cursors of `operation` for `owner` under `filters`, any stable text that identifies them.
    pub fn for_list(secret: &Secret, operation: &str, owner: &str, filters: &str) -> Self {
        // Operation, owner and filters are in the key, not in the cursor: a cursor of another list fails like a forged
        // one.
        let tag = secret.derive("cursor").tag(&[operation.as_bytes(), owner.as_bytes(), filters.as_bytes()]);
        Self { key: Secret::from_bytes(tag), lifetime: LIFETIME }
    }

    pub fn with_lifetime(self, lifetime: Duration) -> Self {
        Self { lifetime, ..self }
    }

    pub fn encode(&self, position: &str, now: Timestamp) -> String {
        let expiry = now.plus(self.lifetime).seconds();
        Writer::default().field(expiry.to_be_bytes()).sign(position, &self.key)
    }

    /// Returns the position of a cursor that has not expired.
    pub fn decode(&self, text: &str, now: Timestamp) -> Result<String, InvalidCursor> {
        let CursorPosition { position, is_expired } = self.decode_with_expiry(text, now)?;
        if is_expired { Err(InvalidCursor) } else { Ok(position) }
    }

    // An expired cursor is reported differently from a forged one, so its position is returned.
    pub fn decode_with_expiry(&self, text: &str, now: Timestamp) -> Result<CursorPosition, InvalidCursor> {
        let mut token = Reader::verify(text, &self.key).ok_or(InvalidCursor)?;
        let expiry = token.field().map(i64::from_be_bytes).ok_or(InvalidCursor)?;
        let position = token.text().ok_or(InvalidCursor)?;
        Ok(CursorPosition { position, is_expired: now.seconds() >= expiry })
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
        fn an_encoded_position_is_decoded_again(position in ".{0,80}") {
            let cursor = Cursor::for_list(&secret(), "list", "ada", "");
            prop_assert_eq!(cursor.decode(&cursor.encode(&position, NOW), NOW), Ok(position));
        }

        #[test]
        fn one_altered_byte_is_refused(position in "[a-z0-9]{1,20}", at in 0usize..60, bit in 0u8..8) {
            let cursor = Cursor::for_list(&secret(), "list", "ada", "");
            let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.encode(&position, NOW)).expect("our own base64");
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(cursor.decode(&BASE64_URL_SAFE_NO_PAD.encode(bytes), NOW), Err(InvalidCursor));
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,120}") {
            prop_assert_eq!(Cursor::for_list(&secret(), "list", "ada", "").decode(&text, NOW), Err(InvalidCursor));
        }
    }

    #[test]
    fn another_owner_operation_or_filter_is_refused() {
        let encoded = Cursor::for_list(&secret(), "list", "ada", "type=note").encode("7", NOW);
        for (operation, owner, filters) in
            [("list", "bob", "type=note"), ("search", "ada", "type=note"), ("list", "ada", "")]
        {
            assert_eq!(
                Cursor::for_list(&secret(), operation, owner, filters).decode(&encoded, NOW),
                Err(InvalidCursor)
            );
        }
    }

    #[test]
    fn a_cursor_expires_after_an_hour() {
        let cursor = Cursor::for_list(&secret(), "list", "ada", "");
        let encoded = cursor.encode("7", NOW);
        assert!(cursor.decode(&encoded, NOW.plus(LIFETIME - Duration::from_secs(1))).is_ok());
        assert_eq!(cursor.decode(&encoded, NOW.plus(LIFETIME)), Err(InvalidCursor));
        let short = cursor.with_lifetime(Duration::from_secs(2));
        let encoded = short.encode("7", NOW);
        let after = |seconds| short.decode(&encoded, NOW.plus(Duration::from_secs(seconds)));
        assert_eq!((after(1), after(2)), (Ok("7".to_owned()), Err(InvalidCursor)));
    }
}
