//! Parses an access token (RFC 9068). The claims are checked before the signature, and returned only after it.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::Algorithm;
use serde_json::{Map, Value};
use shared_model::{Timestamp, json};

use super::{
    claims::{self, ClaimRules, Identity},
    keys::{self, Key},
    token_error::TokenError,
};

pub const MAX_BYTES: usize = 8 * 1024;

/// A parsed token whose signature is not verified yet.
#[derive(Debug)]
pub struct UnverifiedToken<'t> {
    kid: String,
    algorithm: Algorithm,
    token: &'t str,
    /// The identity, or what is wrong with the claims.
    claimed: Result<Identity, String>,
}

impl<'t> UnverifiedToken<'t> {
    /// Strict in every part, so that no two parsers read different things in one token.
    pub fn read(token: &'t str, expected: &ClaimRules<'_>, now: Timestamp) -> Result<Self, TokenError> {
        if token.len() > MAX_BYTES {
            return Err(TokenError::Unproven("longer than 8 KiB"));
        }
        let parts: Vec<&str> = token.split('.').collect();
        let [header, claims, signature] = parts[..] else {
            return Err(TokenError::Unproven("not three parts"));
        };
        let (kid, algorithm) = read_header(&object(header)?)?;
        decode(signature)?;
        let claimed = claims::read(&object(claims)?, expected, now);
        Ok(Self { kid, algorithm, token, claimed })
    }

    pub fn kid(&self) -> &str {
        &self.kid
    }

    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    pub fn has_valid_claims(&self) -> bool {
        self.claimed.is_ok()
    }

    /// The identity, if this key made the signature and the claims are valid.
    pub fn verify_with(self, key: &Key) -> Result<Identity, TokenError> {
        if !key.has_signed(self.token) {
            return Err(TokenError::Unproven("the signature is not of this key"));
        }
        self.claimed.map_err(TokenError::Proven)
    }
}

fn read_header(header: &Map<String, Value>) -> Result<(String, Algorithm), TokenError> {
    let text = |name| header.get(name).and_then(Value::as_str);
    let kind = text("typ").ok_or(TokenError::Unproven("no typ"))?;
    if !["at+jwt", "application/at+jwt"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
        return Err(TokenError::Unproven("typ is not at+jwt"));
    }
    // RFC 7515 §4.1.11: refuse critical extensions that are not understood; we understand none.
    if header.contains_key("crit") {
        return Err(TokenError::Unproven("crit"));
    }
    let algorithm = text("alg").and_then(keys::algorithm).ok_or(TokenError::Unproven("alg is not one of ours"))?;
    let kid = text("kid").filter(|kid| keys::is_visible(kid)).ok_or(TokenError::Unproven("no kid"))?;
    Ok((kid.to_owned(), algorithm))
}

fn object(part: &str) -> Result<Map<String, Value>, TokenError> {
    json::parse_object(&decode(part)?).map_err(|_| TokenError::Unproven("not a strict JSON object"))
}

fn decode(part: &str) -> Result<Vec<u8>, TokenError> {
    BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Unproven("not base64url"))
}

#[cfg(test)]
mod tests;
