//! `Content-Digest` (RFC 9530 §2): the hash of the body, so that damaged bytes are refused.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use shared_model::{Error, code};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

const RULE: &str = "must be like sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";

/// The announced SHA-256 of the body, if any. Other algorithms are ignored.
#[derive(Clone, Copy, Debug)]
pub struct ContentDigest(pub Option<[u8; 32]>);

impl Argument for ContentDigest {
    fn describe(contract: &mut Contract) {
        contract.takes_header(
            "Content-Digest",
            false,
            "`sha-256` of the body (RFC 9530); other algorithms are ignored.",
        );
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let mut found = None;
        for value in request.headers().get_all("content-digest") {
            let parsed = value.to_str().ok().and_then(Self::parse);
            let Self(digest) = parsed.ok_or_else(|| code::invalid_parameter("Content-Digest", RULE))?;
            found = digest.or(found);
        }
        Ok(Self(found))
    }
}

impl ContentDigest {
    /// `None` for malformed text.
    pub fn parse(text: &str) -> Option<Self> {
        sha256(text).ok().map(Self)
    }
}

/// The SHA-256 in a dictionary of digests (RFC 9651 §3.2), if it has one; an error for malformed text.
fn sha256(text: &str) -> Result<Option<[u8; 32]>, ()> {
    let mut found = None;
    for member in text.split(',') {
        let (key, value) = member.trim_matches([' ', '\t']).split_once('=').ok_or(())?;
        let is_key = key.starts_with(|c: char| c.is_ascii_lowercase())
            && key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.*".contains(&b));
        let digits = value.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')).filter(|_| is_key).ok_or(())?;
        let bytes = BASE64_STANDARD.decode(digits).map_err(drop)?;
        if key == "sha-256" {
            found = Some(bytes.try_into().map_err(drop)?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EMPTY: &str = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

    #[test]
    fn the_digest_is_found_among_others() {
        let own = format!("sha-256=:{EMPTY}:");
        for text in [own.clone(), format!("sha-512=:AAAA:, {own}"), format!("{own},\tunixsum=:AA==:")] {
            assert_eq!(sha256(&text).map(|found| found.map(|bytes| bytes[0])), Ok(Some(0xe3)), "{text}");
        }
        assert_eq!(sha256("sha-512=:AAAA:"), Ok(None));
    }

    #[test]
    fn malformed_dictionaries_are_refused() {
        for text in ["", "sha-256", "sha-256=", "sha-256=:", "sha-256=::", "sha-256=:AAAA:", "SHA-256=:AAAA:", "a=1"] {
            assert!(sha256(text).is_err(), "{text}");
        }
        assert!(sha256(&format!("sha-256={EMPTY}")).is_err());
        assert!(sha256(&format!("sha-256=:{EMPTY}:,")).is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "(sha-256|[a-z,=: ]{0,9}){0,3}=?:?\\PC{0,50}") {
            let _ = sha256(&text);
        }
    }
}
