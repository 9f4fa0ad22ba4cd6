//! Whatever the token and the issuer's key set, reading them does not panic. A token counts only with valid claims,
//! an accepted algorithm and the signature of a key of the set.

use std::sync::LazyLock;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};
use shared_model::Timestamp;
use shared_runtime::{
    base::surface::Claim,
    identity::{
        claims::ClaimRules,
        keys::{KeyLookup, KeySet},
        token::UnverifiedToken,
    },
};

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
const CLAIMS: &[Claim] = &[Claim::WorkspaceId, Claim::Actor, Claim::GrantKind];
const AUDIENCE: &str = "https://service.test";
static AUDIENCES: LazyLock<[String; 1]> = LazyLock::new(|| [AUDIENCE.to_owned()]);

static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::from_bytes(&[7; 32]));
static KEYS: LazyLock<KeySet> = LazyLock::new(|| {
    let x = BASE64_URL_SAFE_NO_PAD.encode(KEY.verifying_key().as_bytes());
    let document = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": x}]});
    KeySet::parse(document.to_string().as_bytes(), None).expect("a key set")
});

/// A token and at the same time a key set. Or a line with the header and a line with the claims of a token that our key
/// signs.
pub fn run(bytes: &[u8]) {
    let whole = crate::text::text(bytes);
    assert!(!is_accepted(whole), "a token that our key has not signed");
    if let Ok(keys) = KeySet::parse(bytes, None) {
        let again = KeySet::parse(bytes, Some(&keys)).expect("the same document");
        let found = ["k", "a"].map(|kid| keys.find(kid, jsonwebtoken::Algorithm::EdDSA));
        for key in found {
            if let KeyLookup::Found(key) = key {
                assert!(again.holds(&key), "the same key is kept");
                assert!(!key.has_signed(whole), "no token is a key set");
            }
        }
    }
    // A fuzzer finds no signature, so everything after its check is reached by signing here.
    let Some((header, claims)) = whole.split_once('\n') else { return };
    let encoded = |part: &str| BASE64_URL_SAFE_NO_PAD.encode(part);
    let message = format!("{}.{}", encoded(header), encoded(claims));
    let signature = BASE64_URL_SAFE_NO_PAD.encode(KEY.sign(message.as_bytes()).to_bytes());
    if is_accepted(&format!("{message}.{signature}")) {
        let header: Value = serde_json::from_str(header).expect("serde_json reads what we accept");
        let claims: Value = serde_json::from_str(claims).expect("serde_json reads what we accept");
        assert!(
            matches!(header["alg"].as_str(), Some("EdDSA" | "Ed25519")) && header.get("crit").is_none(),
            "{header}"
        );
        assert!(
            claims["iss"] == "https://issuer.test" && claims["exp"].as_i64() > Some(NOW.seconds() - 30),
            "{claims}"
        );
        assert!(claims["aud"] == AUDIENCE || claims["aud"] == json!([AUDIENCE]), "{claims}");
        // Each signature has one encoding.
        let other = format!("{message}.{}", &signature[..signature.len() - 4]);
        assert!(!is_accepted(&other) && !is_accepted(&format!("{message}.")), "{message}");
    }
}

fn is_accepted(token: &str) -> bool {
    let rules = ClaimRules { issuer: "https://issuer.test", audiences: &*AUDIENCES, claims: CLAIMS };
    let Ok(token) = UnverifiedToken::read(token, &rules, NOW) else { return false };
    let KeyLookup::Found(key) = KEYS.find(token.kid(), token.algorithm()) else { return false };
    token.verify_with(&key).is_ok()
}
