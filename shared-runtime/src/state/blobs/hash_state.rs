//! The state of a SHA-256 between two pieces of a content. With it, no byte of an upload is read twice.

use sha2::{
    Digest as _, Sha256,
    digest::common::hazmat::{SerializableState as _, SerializedState},
};
use shared_model::Failure;

#[derive(Clone, Debug)]
pub struct HashState(Sha256);

impl HashState {
    pub fn of_nothing() -> Self {
        Self(Sha256::new())
    }

    pub fn stored(text: &str) -> Result<Self, Failure> {
        let mut bytes = SerializedState::<Sha256>::default();
        hex::decode_to_slice(text, &mut bytes).map_err(|_| Failure::fault("a stored hash state is not hexadecimal"))?;
        let hash = Sha256::deserialize(&bytes).map_err(|_| Failure::fault("a stored hash state is malformed"))?;
        Ok(Self(hash))
    }

    /// Text for the database. Equal bytes give equal texts.
    pub fn to_text(&self) -> String {
        hex::encode(self.0.serialize())
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Hexadecimal digits.
    pub fn digest_hex(self) -> String {
        hex::encode(self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_hash_that_is_stored_between_chunks_is_that_of_the_whole(chunks: Vec<Vec<u8>>) {
            let mut state = HashState::of_nothing();
            for chunk in &chunks {
                state.update(chunk);
                state = HashState::stored(&state.to_text()).expect("as it was stored");
            }
            prop_assert_eq!(state.digest_hex(), hex::encode(Sha256::digest(chunks.concat())));
        }

        #[test]
        fn states_are_the_same_where_the_bytes_are(a: Vec<u8>, b: Vec<u8>) {
            let state = |bytes: &[u8]| {
                let mut state = HashState::of_nothing();
                state.update(bytes);
                state.to_text()
            };
            prop_assert_eq!(state(&a) == state(&b), a == b);
            prop_assert_eq!(state(&a), state(&a.clone()));
        }

        #[test]
        fn other_text_is_no_state(text in "\\PC{0,300}") {
            let _ = HashState::stored(&text);
        }
    }
}
