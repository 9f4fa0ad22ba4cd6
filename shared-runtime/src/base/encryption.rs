//! Encrypts small secrets before they are stored. The key is derived from the service's secret, and each ciphertext is
//! bound to its row and column.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use secrecy::{ExposeSecret as _, SecretString, zeroize::Zeroizing};
use shared_model::Secret;

// The version of the format, followed by the base64 of nonce, ciphertext and tag.
const FORMAT: &str = "v1.";

/// AES-256-GCM with a random nonce for each text, for one purpose.
#[derive(Clone)]
pub struct Encryptor(LessSafeKey);

impl Encryptor {
    pub fn new(secret: &Secret, purpose: &str) -> Self {
        // Never change the label "seal": nothing that is stored could be decrypted.
        let key = secret.derive("seal").tag(&[purpose.as_bytes()]);
        let key = UnboundKey::new(&AES_256_GCM, &key).expect("a tag has the 32 bytes of an AES-256 key");
        Self(LessSafeKey::new(key))
    }

    /// Encrypts a text. It decrypts only with the same associated data, for instance its row and column.
    pub fn encrypt(&self, text: &SecretString, associated_data: &str) -> String {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut bytes = text.expose_secret().as_bytes().to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(associated_data), &mut bytes)
            .expect("the text is far below AES-GCM's limit of 64 GiB");
        format!("{FORMAT}{}", BASE64_STANDARD.encode([&nonce[..], &bytes].concat()))
    }

    /// Decrypts a text; `None` if it was altered, or encrypted with other associated data, for another purpose or with
    /// another secret.
    pub fn decrypt(&self, encrypted: &str, associated_data: &str) -> Option<SecretString> {
        let mut bytes = Zeroizing::new(BASE64_STANDARD.decode(encrypted.strip_prefix(FORMAT)?).ok()?);
        let (nonce, text) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let text = self.0.open_in_place(nonce, Aad::from(associated_data), text).ok()?;
        Some(SecretString::from(std::str::from_utf8(text).ok()?))
    }
}

impl fmt::Debug for Encryptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[encryptor]")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "sk-0123456789";

    fn encryptor() -> Encryptor {
        Encryptor::new(&Secret::from_bytes([7; 32]), "room model keys")
    }

    fn encrypted() -> String {
        encryptor().encrypt(&TEXT.into(), "room_1")
    }

    fn decrypted(encryptor: &Encryptor, encrypted: &str, associated_data: &str) -> Option<String> {
        encryptor.decrypt(encrypted, associated_data).map(|text| text.expose_secret().to_owned())
    }

    #[test]
    fn a_text_decrypts_with_its_associated_data_purpose_and_secret_only() {
        assert_eq!(decrypted(&encryptor(), &encrypted(), "room_1").as_deref(), Some(TEXT));
        assert_eq!(decrypted(&encryptor(), &encrypted(), "room_2"), None);
        let other_secret = Encryptor::new(&Secret::from_bytes([8; 32]), "room model keys");
        assert_eq!(decrypted(&other_secret, &encrypted(), "room_1"), None);
        let other_purpose = Encryptor::new(&Secret::from_bytes([7; 32]), "webhook secrets");
        assert_eq!(decrypted(&other_purpose, &encrypted(), "room_1"), None);
    }

    #[test]
    fn neither_the_encrypted_text_nor_debug_shows_the_secret() {
        assert_ne!(encrypted(), encrypted());
        assert!(!encrypted().contains("sk-"));
        assert_eq!(format!("{:?}", encryptor()), "[encryptor]");
        assert!(!format!("{:?}", SecretString::from(TEXT)).contains("sk-"));
    }

    proptest! {
        #[test]
        fn an_altered_byte_does_not_decrypt(at in any::<prop::sample::Index>(), bit in 0..7u8) {
            let mut bytes = encrypted().into_bytes();
            let place = at.index(bytes.len());
            bytes[place] ^= 1 << bit;
            if let Ok(altered) = String::from_utf8(bytes) {
                prop_assert_eq!(decrypted(&encryptor(), &altered, "room_1"), None);
            }
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".{0,60}", prefixed in any::<bool>()) {
            let text = if prefixed { format!("v1.{text}") } else { text };
            prop_assert_eq!(decrypted(&encryptor(), &text, ""), None);
        }
    }
}
