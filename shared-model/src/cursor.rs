//! Opaque list cursors: a position, signed, bound to one owner and one set of filters, expiring after an hour.

use std::time::Duration;

use crate::{Secret, Timestamp, sealed_token};

/// How long a cursor lives (`limits.list_cursor_seconds`).
pub const LIFETIME: Duration = Duration::from_secs(3600);

/// Seals and opens the cursors of one list: one operation, one owner, one set of filters.
pub struct Cursor {
    key: Secret,
}

/// The text is no cursor of this list, or no longer one: altered, foreign, made for other filters, or expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCursor;

impl Cursor {
    /// The cursors of `operation` for `owner` under `filters` (any stable text that names them).
    pub fn of(secret: &Secret, operation: &str, owner: &str, filters: &str) -> Self {
        let tag = secret.derive("cursor").tag(&[operation.as_bytes(), owner.as_bytes(), filters.as_bytes()]);
        Self { key: Secret::from_bytes(tag) }
    }

    /// The cursor that continues after `position`, good for [`LIFETIME`] from `now`.
    pub fn seal(&self, position: &str, now: Timestamp) -> String {
        let mut sealed = now.plus(LIFETIME).seconds().to_be_bytes().to_vec();
        sealed.extend_from_slice(position.as_bytes());
        sealed_token::seal(sealed, &self.key)
    }

    /// The position sealed in `text`.
    pub fn open(&self, text: &str, now: Timestamp) -> Result<String, InvalidCursor> {
        let body = sealed_token::open(text, &self.key).ok_or(InvalidCursor)?;
        let (expiry, position) = body.split_first_chunk().ok_or(InvalidCursor)?;
        if now.seconds() >= i64::from_be_bytes(*expiry) {
            return Err(InvalidCursor);
        }
        String::from_utf8(position.to_vec()).map_err(|_| InvalidCursor)
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
        fn what_is_sealed_opens_again(position in ".{0,80}") {
            let cursor = Cursor::of(&secret(), "list", "ada", "");
            prop_assert_eq!(cursor.open(&cursor.seal(&position, NOW), NOW), Ok(position));
        }

        #[test]
        fn one_altered_byte_is_refused(position in "[a-z0-9]{1,20}", at in 0usize..60, bit in 0u8..8) {
            let cursor = Cursor::of(&secret(), "list", "ada", "");
            let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.seal(&position, NOW)).expect("our own base64");
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(cursor.open(&BASE64_URL_SAFE_NO_PAD.encode(bytes), NOW), Err(InvalidCursor));
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,120}") {
            prop_assert_eq!(Cursor::of(&secret(), "list", "ada", "").open(&text, NOW), Err(InvalidCursor));
        }
    }

    #[test]
    fn another_owner_operation_or_filter_is_refused() {
        let sealed = Cursor::of(&secret(), "list", "ada", "type=note").seal("7", NOW);
        for (operation, owner, filters) in
            [("list", "bob", "type=note"), ("search", "ada", "type=note"), ("list", "ada", "")]
        {
            assert_eq!(Cursor::of(&secret(), operation, owner, filters).open(&sealed, NOW), Err(InvalidCursor));
        }
    }

    #[test]
    fn a_cursor_expires_after_an_hour() {
        let cursor = Cursor::of(&secret(), "list", "ada", "");
        let sealed = cursor.seal("7", NOW);
        assert!(cursor.open(&sealed, NOW.plus(LIFETIME - Duration::from_secs(1))).is_ok());
        assert_eq!(cursor.open(&sealed, NOW.plus(LIFETIME)), Err(InvalidCursor));
    }
}
