//! An access token (RFC 9068) taken apart: what it claims is checked before, and believed only after, its signature.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::Algorithm;
use serde_json::{Map, Value};
use shared_model::{Timestamp, json};

use super::{
    claims::{self, Expected, Identity},
    flaw::Flaw,
    keys::{self, Key},
};

/// Bytes of a token at most.
pub const MAX_BYTES: usize = 8 * 1024;

/// A token taken apart; whether the issuer says what it claims is not known yet.
#[derive(Debug)]
pub struct Presented<'t> {
    kid: String,
    algorithm: Algorithm,
    token: &'t str,
    /// What it claims, or what is wrong with that.
    claimed: Result<Identity, String>,
}

impl<'t> Presented<'t> {
    /// Takes a token apart; strict in every part, so that no two readers see two things in one token.
    pub fn read(token: &'t str, expected: &Expected<'_>, now: Timestamp) -> Result<Self, Flaw> {
        if token.len() > MAX_BYTES {
            return Err(Flaw::Unproven("longer than 8 KiB"));
        }
        let parts: Vec<&str> = token.split('.').collect();
        let [header, claims, signature] = parts[..] else {
            return Err(Flaw::Unproven("not three parts"));
        };
        let (kid, algorithm) = read_header(&object(header)?)?;
        decode(signature)?;
        let claimed = claims::read(&object(claims)?, expected, now);
        Ok(Self { kid, algorithm, token, claimed })
    }

    /// The id of the key that it names.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The algorithm that it names.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Whether it claims the right things.
    pub fn claims_well(&self) -> bool {
        self.claimed.is_ok()
    }

    /// The identity, if the key's holder has signed the token and it claims the right things.
    pub fn proven_by(self, key: &Key) -> Result<Identity, Flaw> {
        if !key.has_signed(self.token) {
            return Err(Flaw::Unproven("the signature is not of this key"));
        }
        self.claimed.map_err(Flaw::Proven)
    }
}

fn read_header(header: &Map<String, Value>) -> Result<(String, Algorithm), Flaw> {
    let text = |name| header.get(name).and_then(Value::as_str);
    let kind = text("typ").ok_or(Flaw::Unproven("no typ"))?;
    if !["at+jwt", "application/at+jwt"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
        return Err(Flaw::Unproven("typ is not at+jwt"));
    }
    // RFC 7515 §4.1.11: a critical extension that is not understood is refused, and we understand none.
    if header.contains_key("crit") {
        return Err(Flaw::Unproven("crit"));
    }
    let algorithm = text("alg").and_then(keys::algorithm).ok_or(Flaw::Unproven("alg is not one of ours"))?;
    let kid = text("kid").filter(|kid| keys::is_visible(kid)).ok_or(Flaw::Unproven("no kid"))?;
    Ok((kid.to_owned(), algorithm))
}

fn object(part: &str) -> Result<Map<String, Value>, Flaw> {
    json::parse_object(&decode(part)?).map_err(|_| Flaw::Unproven("not a strict JSON object"))
}

fn decode(part: &str) -> Result<Vec<u8>, Flaw> {
    BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| Flaw::Unproven("not base64url"))
}

#[cfg(test)]
mod tests;
