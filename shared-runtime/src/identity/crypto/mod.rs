//! The cryptography behind jsonwebtoken: exactly the three algorithms that we accept, each verified strictly.

#[cfg(test)]
mod tests;

use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey, pkcs8::DecodePrivateKey as _};
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result, new_error},
    signature::{Error as SignatureError, Signer, Verifier},
};
use ring::{agreement, rand::SystemRandom, signature};

use crate::base::public_key::PublicKey;

/// A checked public key. It works with one algorithm only, so a token cannot choose another one for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuerKey {
    Ed25519(PublicKey),
    /// `ES256`: the uncompressed point.
    P256([u8; 65]),
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
}

impl IssuerKey {
    /// `None` for a key of small order, under which anyone can sign.
    pub fn ed25519(bytes: &[u8]) -> Option<Self> {
        Some(Self::Ed25519(PublicKey::from_bytes(bytes.try_into().ok()?).ok()?))
    }

    /// `None` for a point that is not on the curve.
    pub fn p256(x: &[u8], y: &[u8]) -> Option<Self> {
        if (x.len(), y.len()) != (32, 32) {
            return None;
        }
        let mut point = [4; 65];
        point[1..33].copy_from_slice(x);
        point[33..].copy_from_slice(y);
        // ring checks a point only when it is used, so use it in a throwaway key agreement.
        let ours = agreement::EphemeralPrivateKey::generate(&agreement::ECDH_P256, &SystemRandom::new()).ok()?;
        let theirs = agreement::UnparsedPublicKey::new(&agreement::ECDH_P256, &point);
        agreement::agree_ephemeral(ours, &theirs, |_| ()).ok()?;
        Some(Self::P256(point))
    }

    /// 2048 to 8192 bits, with an odd exponent from 3 to 2³³ − 1.
    pub fn rsa(modulus: &[u8], exponent: &[u8]) -> Option<Self> {
        let (modulus, exponent) = (without_leading_zeros(modulus), without_leading_zeros(exponent));
        let bits = modulus.len() * 8 - modulus.first()?.leading_zeros() as usize;
        let small = exponent.len() <= 5 && exponent.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)) < 1 << 33;
        let odd = |number: &[u8]| number.last().is_some_and(|byte| byte & 1 == 1);
        ((2048..=8192).contains(&bits) && odd(modulus) && small && odd(exponent) && exponent != [1])
            .then(|| Self::Rsa { modulus: modulus.to_vec(), exponent: exponent.to_vec() })
    }

    pub fn algorithm(&self) -> Algorithm {
        match self {
            Self::Ed25519(_) => Algorithm::EdDSA,
            Self::P256(_) => Algorithm::ES256,
            Self::Rsa { .. } => Algorithm::RS256,
        }
    }

    pub fn decoding_key(&self) -> DecodingKey {
        match self {
            Self::Ed25519(key) => DecodingKey::from_ed_der(key.as_bytes()),
            Self::P256(point) => DecodingKey::from_ec_der(point),
            Self::Rsa { modulus, exponent } => DecodingKey::from_rsa_raw_components(modulus, exponent),
        }
    }
}

fn without_leading_zeros(number: &[u8]) -> &[u8] {
    &number[number.iter().take_while(|byte| **byte == 0).count()..]
}

/// Makes jsonwebtoken use this cryptography in the whole process. Call it as often as you like.
pub fn install() {
    static PROVIDER: CryptoProvider =
        CryptoProvider { signer_factory: signer, verifier_factory: verifier, key_utils: KeyUtils::new_unimplemented() };
    // An error means that it is installed already.
    let _ = PROVIDER.install_default();
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    if (*algorithm, key.family()) != (Algorithm::EdDSA, AlgorithmFamily::Ed) {
        return Err(new_error(ErrorKind::InvalidAlgorithm));
    }
    match SigningKey::from_pkcs8_der(key.as_bytes()) {
        Ok(key) => Ok(Box::new(EdDsa(key))),
        Err(_) => Err(new_error(ErrorKind::InvalidEddsaKey)),
    }
}

// The key was checked by [`IssuerKey`]; only the signature is left to verify.
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let verifier = match (*algorithm, key.family(), key.kind()) {
        (Algorithm::EdDSA, AlgorithmFamily::Ed, DecodingKeyKind::SecretOrDer(bytes)) => {
            let bytes = bytes.as_slice().try_into().map_err(|_| new_error(ErrorKind::InvalidEddsaKey))?;
            StrictVerifier::Ed25519(VerifyingKey::from_bytes(bytes).map_err(|_| new_error(ErrorKind::InvalidEddsaKey))?)
        }
        (Algorithm::ES256, AlgorithmFamily::Ec, DecodingKeyKind::SecretOrDer(point)) => {
            StrictVerifier::P256(point.clone())
        }
        (Algorithm::RS256, AlgorithmFamily::Rsa, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            StrictVerifier::Rsa { modulus: n.clone(), exponent: e.clone() }
        }
        _ => return Err(new_error(ErrorKind::InvalidAlgorithm)),
    };
    Ok(Box::new(verifier))
}

enum StrictVerifier {
    Ed25519(VerifyingKey),
    P256(Vec<u8>),
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
}

impl Verifier<Vec<u8>> for StrictVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), SignatureError> {
        let is_valid = match self {
            // The plain check accepts forgeries under weak keys.
            Self::Ed25519(key) => ed25519_dalek::Signature::from_slice(signature)
                .and_then(|signature| key.verify_strict(message, &signature))
                .is_ok(),
            Self::P256(point) => signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, point)
                .verify(message, signature)
                .is_ok(),
            Self::Rsa { modulus, exponent } => signature::RsaPublicKeyComponents { n: modulus, e: exponent }
                .verify(&signature::RSA_PKCS1_2048_8192_SHA256, message, signature)
                .is_ok(),
        };
        if is_valid { Ok(()) } else { Err(SignatureError::new()) }
    }
}

impl JwtVerifier for StrictVerifier {
    fn algorithm(&self) -> Algorithm {
        match self {
            Self::Ed25519(_) => Algorithm::EdDSA,
            Self::P256(_) => Algorithm::ES256,
            Self::Rsa { .. } => Algorithm::RS256,
        }
    }
}

struct EdDsa(SigningKey);

impl Signer<Vec<u8>> for EdDsa {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, SignatureError> {
        Ok(self.0.sign(message).to_bytes().to_vec())
    }
}

impl JwtSigner for EdDsa {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
