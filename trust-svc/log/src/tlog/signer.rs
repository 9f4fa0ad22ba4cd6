//! Signs notes, as a log or as a witness.

use ed25519_dalek::{Signer as _, SigningKey};

use super::{
    cosignature,
    key::{KeyName, KeyType, VerifierKey},
    note::NoteSignature,
};

/// The signing key of a log, with the log's name.
pub struct NoteSigner {
    key: SigningKey,
    verifier_key: VerifierKey,
}

impl NoteSigner {
    pub fn new(name: KeyName, key: SigningKey) -> Self {
        Self { verifier_key: verifier_key(name, KeyType::Ed25519, &key), key }
    }

    /// The key that verifies its signatures.
    pub fn verifier_key(&self) -> &VerifierKey {
        &self.verifier_key
    }

    pub fn sign(&self, text: &str) -> NoteSignature {
        let signature = self.key.sign(text.as_bytes());
        NoteSignature::of(&self.verifier_key, signature.to_bytes().to_vec())
    }
}

/// The signing key of a witness. Never share one key between witnesses: the name is not part of the signed message.
pub struct Cosigner {
    key: SigningKey,
    verifier_key: VerifierKey,
}

impl Cosigner {
    pub fn new(name: KeyName, key: SigningKey) -> Self {
        Self { verifier_key: verifier_key(name, KeyType::CosignatureV1, &key), key }
    }

    /// The key that verifies its cosignatures.
    pub fn verifier_key(&self) -> &VerifierKey {
        &self.verifier_key
    }

    /// `seconds` is the present time since the Unix epoch.
    pub fn cosign(&self, text: &str, seconds: u64) -> NoteSignature {
        let signature = self.key.sign(cosignature::message(seconds, text).as_bytes());
        NoteSignature::of(&self.verifier_key, cosignature::encode(seconds, &signature))
    }
}

fn verifier_key(name: KeyName, key_type: KeyType, key: &SigningKey) -> VerifierKey {
    let verifier_key = VerifierKey::new(name, key_type, key.verifying_key());
    verifier_key.expect("no secret key has a public key of small order (RFC 8032 §5.1.5)")
}
