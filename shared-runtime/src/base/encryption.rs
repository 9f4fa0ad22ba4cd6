//! Small secrets at rest: encrypted under a key that only this service can derive, and bound to the place they belong to.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use shared_model::Secret;
use zeroize::Zeroizing;

/// The format, so that another one can follow.
const FORMAT: &str = "v1.";

/// Text that must not be shown: `Debug` prints none of it, and its memory is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(Zeroizing<String>);

impl Hidden {
    /// Hides a text.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The text. Whoever asks for it answers for where it goes.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

/// Seals and opens secrets of one purpose (AES-256-GCM, a fresh random nonce for each).
#[derive(Clone)]
pub struct Seal(LessSafeKey);

impl Seal {
    /// The seal for this purpose, derived from the service's secret.
    pub fn of(secret: &Secret, purpose: &str) -> Self {
        let key = secret.derive("seal").tag(&[purpose.as_bytes()]);
        let key = UnboundKey::new(&AES_256_GCM, &key).expect("a tag is 32 bytes, as AES-256 wants");
        Self(LessSafeKey::new(key))
    }

    /// Seals a text for this place, say a column of a row: opened for another place it does not open. Twice the same
    /// text is sealed differently.
    pub fn seal(&self, text: &Hidden, place: &str) -> String {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut sealed = text.reveal().as_bytes().to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(place), &mut sealed)
            .expect("a text of ours is far below the 64 GiB that one nonce can seal");
        format!("{FORMAT}{}", BASE64_STANDARD.encode([&nonce[..], &sealed].concat()))
    }

    /// Opens what was sealed for this place; `None` for anything else: altered, of another place, purpose or secret.
    pub fn open(&self, sealed: &str, place: &str) -> Option<Hidden> {
        let mut bytes = Zeroizing::new(BASE64_STANDARD.decode(sealed.strip_prefix(FORMAT)?).ok()?);
        let (nonce, text) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let text = self.0.open_in_place(nonce, Aad::from(place), text).ok()?;
        Some(Hidden::new(std::str::from_utf8(text).ok()?.to_owned()))
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[seal]")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seal() -> Seal {
        Seal::of(&Secret::from_bytes([7; 32]), "room model keys")
    }

    fn hidden() -> Hidden {
        Hidden::new("sk-0123456789".to_owned())
    }

    #[test]
    fn what_is_sealed_opens_at_its_place_and_nowhere_else() {
        let sealed = seal().seal(&hidden(), "room_1");
        assert_eq!(seal().open(&sealed, "room_1"), Some(hidden()));
        assert_eq!(seal().open(&sealed, "room_2"), None);
        assert_eq!(Seal::of(&Secret::from_bytes([8; 32]), "room model keys").open(&sealed, "room_1"), None);
        assert_eq!(Seal::of(&Secret::from_bytes([7; 32]), "webhook secrets").open(&sealed, "room_1"), None);
    }

    #[test]
    fn neither_the_sealed_text_nor_debug_shows_the_secret() {
        let (one, two) = (seal().seal(&hidden(), "room_1"), seal().seal(&hidden(), "room_1"));
        assert_ne!(one, two);
        assert!(!one.contains("sk-"));
        assert_eq!(format!("{:?} {:?}", hidden(), seal()), "[hidden] [seal]");
    }

    proptest! {
        #[test]
        fn an_altered_byte_does_not_open(at in any::<prop::sample::Index>(), bit in 0..7u8) {
            let sealed = seal().seal(&hidden(), "room_1");
            let mut bytes = sealed.clone().into_bytes();
            let place = at.index(bytes.len());
            bytes[place] ^= 1 << bit;
            if let Ok(altered) = String::from_utf8(bytes) {
                prop_assert_eq!(seal().open(&altered, "room_1"), None);
            }
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".{0,60}", prefixed in any::<bool>()) {
            let text = if prefixed { format!("v1.{text}") } else { text };
            prop_assert_eq!(seal().open(&text, ""), None);
        }
    }
}
