//! Signing notes: as a log, and as a witness.

use ed25519_dalek::{Signer as _, SigningKey};
use shared_model::Timestamp;
use shared_runtime::PublicKey;

use super::{
    cosignature,
    key::{KeyName, KeyType, VerifierKey},
    note::NoteSignature,
};

/// A log's key, with its name.
pub struct NoteSigner {
    key: SigningKey,
    verifier_key: VerifierKey,
}

impl NoteSigner {
    /// The signer of this name.
    pub fn new(name: KeyName, key: SigningKey) -> Self {
        Self { verifier_key: verifier_key(name, KeyType::Ed25519, &key), key }
    }

    /// What its signatures are checked with.
    pub fn verifier_key(&self) -> &VerifierKey {
        &self.verifier_key
    }

    /// Its signature on the text of a note.
    pub fn sign(&self, text: &str) -> NoteSignature {
        let signature = self.key.sign(text.as_bytes());
        NoteSignature::of(&self.verifier_key, signature.to_bytes().to_vec())
    }
}

/// A witness's key, with its name. One key is for one witness: the name is not signed.
pub struct Cosigner {
    key: SigningKey,
    verifier_key: VerifierKey,
}

impl Cosigner {
    /// The witness of this name.
    pub fn new(name: KeyName, key: SigningKey) -> Self {
        Self { verifier_key: verifier_key(name, KeyType::CosignatureV1, &key), key }
    }

    /// What its cosignatures are checked with.
    pub fn verifier_key(&self) -> &VerifierKey {
        &self.verifier_key
    }

    /// Its cosignature on the text of a checkpoint, made now.
    pub fn cosign(&self, text: &str, now: Timestamp) -> NoteSignature {
        let seconds = now.seconds().max(0).unsigned_abs();
        let signature = self.key.sign(cosignature::message(seconds, text).as_bytes());
        NoteSignature::of(&self.verifier_key, cosignature::encode(seconds, &signature))
    }
}

fn verifier_key(name: KeyName, key_type: KeyType, key: &SigningKey) -> VerifierKey {
    let public =
        PublicKey::try_from(key.verifying_key()).expect("no secret has a public key of small order (RFC 8032 §5.1.5)");
    VerifierKey::new(name, key_type, public)
}
