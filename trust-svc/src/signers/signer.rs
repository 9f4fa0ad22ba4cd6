//! A signer, and what it may do now.

use shared_model::{Refusal, Timestamp};
use shared_runtime::PublicKey;

use crate::{
    codes,
    model::{Event, EventKind, KeyId},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    pub key_id: KeyId,
    pub public_key: PublicKey,
    pub policy: Policy,
    pub active_from: Timestamp,
    /// The planned end. The signer may not publish from this time on.
    pub retires_at: Option<Timestamp>,
    /// Set when the key is lost or stolen.
    pub revoked_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub kinds: Vec<EventKind>,
    /// Prefixes of the market ids that it may publish for. `mkt_` allows all markets.
    pub market_prefixes: Vec<String>,
    pub origins: Vec<String>,
    /// Whether a request without an `Origin` header is accepted. Only browsers send one.
    pub allow_absent_origin: bool,
}

impl Default for Policy {
    /// Everything, but not from browsers.
    fn default() -> Self {
        Self {
            kinds: EventKind::ALL.iter().map(|(_, kind)| *kind).collect(),
            market_prefixes: vec!["mkt_".to_owned()],
            origins: Vec::new(),
            allow_absent_origin: true,
        }
    }
}

impl Signer {
    /// A signer with the default policy, active from now on.
    pub fn new(key_id: KeyId, public_key: PublicKey, now: Timestamp) -> Self {
        let policy = Policy::default();
        Self { key_id, public_key, policy, active_from: now, retires_at: None, revoked_at: None, created_at: now }
    }

    /// 403 unless the signer is active now.
    pub fn require_active(&self, now: Timestamp) -> Result<(), Refusal> {
        // A revocation counts as soon as it is stored, whatever its time. The clock of the operator's machine may be
        // ahead of ours.
        let sentence = if self.revoked_at.is_some() {
            "The signer is revoked."
        } else if self.retires_at.is_some_and(|at| at <= now) {
            "The signer has retired."
        } else if now < self.active_from {
            "The signer is not active yet."
        } else {
            return Ok(());
        };
        Err(codes::SIGNER_NOT_ACTIVE.because(sentence))
    }

    /// 403 unless the signer may publish from this `Origin`.
    pub fn require_origin(&self, origin: Option<&str>) -> Result<(), Refusal> {
        let (is_allowed, sentence) = match origin {
            None => (self.policy.allow_absent_origin, "This signer may publish only with an Origin header."),
            Some(origin) => (
                self.policy.origins.iter().any(|allowed| allowed == origin),
                "This signer may not publish from this Origin.",
            ),
        };
        if is_allowed { Ok(()) } else { Err(codes::ORIGIN_DENIED.because(sentence)) }
    }

    /// 403 unless the signer may publish this kind of event for this market.
    pub fn require_allowed(&self, event: &Event) -> Result<(), Refusal> {
        let Event { kind, market_id, .. } = event;
        if !self.policy.kinds.contains(kind) {
            return Err(codes::SIGNER_NOT_ALLOWED.because(format!("The signer may not publish events of kind {kind}.")));
        }
        if !self.policy.market_prefixes.iter().any(|prefix| market_id.as_str().starts_with(prefix)) {
            let message = format!("The signer may not publish for the market {market_id}.");
            return Err(codes::SIGNER_NOT_ALLOWED.because(message));
        }
        Ok(())
    }
}

/// Accepts an origin only in the form in which browsers send it (RFC 6454 §6.2).
// Origins are compared byte by byte: another spelling in the policy would never match.
pub fn parse_origin(text: &str) -> Result<String, &'static str> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = host.is_some_and(|host| {
        !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase() && b != b'/')
    });
    if is_plain {
        Ok(text.to_owned())
    } else {
        Err("must be like https://desk.example, in lower case and without a path")
    }
}

pub fn parse_market_prefix(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix("mkt_").ok_or("must begin with mkt_")?;
    let is_hex = digits.len() <= 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { Ok(text.to_owned()) } else { Err("must be mkt_ and up to 32 lowercase hexadecimal digits") }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;

    fn signer() -> Signer {
        Signer {
            key_id: "press-1".parse().expect("a key id"),
            public_key: SigningKey::from_bytes(&[7; 32]).verifying_key().try_into().expect("a strong key"),
            policy: Policy { origins: vec!["https://desk.example".to_owned()], ..Policy::default() },
            active_from: Timestamp::from_seconds(100),
            retires_at: Some(Timestamp::from_seconds(200)),
            revoked_at: None,
            created_at: Timestamp::from_seconds(50),
        }
    }

    #[test]
    fn a_signer_is_active_from_its_start_until_just_before_its_end() {
        let active = |signer: &Signer, seconds| signer.require_active(Timestamp::from_seconds(seconds)).is_ok();
        let mut signer = signer();
        assert_eq!([99, 100, 199, 200].map(|at| active(&signer, at)), [false, true, true, false]);
        signer.revoked_at = Some(Timestamp::from_seconds(150));
        assert_eq!([149, 150].map(|at| active(&signer, at)), [false, false]);
    }

    #[test]
    fn origins_and_prefixes_have_one_spelling() {
        assert!(parse_origin("https://desk.example:8443").is_ok());
        for text in ["null", "*", "https://", "https://desk.example/", "https://Desk.example", "desk.example"] {
            assert!(parse_origin(text).is_err(), "{text}");
        }
        assert!(parse_market_prefix("mkt_00ff").is_ok());
        for text in ["", "mkt", "mkt_XY", "evt_00"] {
            assert!(parse_market_prefix(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_compared_exactly() {
        let mut signer = signer();
        assert!(signer.require_origin(Some("https://desk.example")).is_ok());
        for origin in ["https://desk.example/", "https://DESK.example", "http://desk.example", "null", ""] {
            assert!(signer.require_origin(Some(origin)).is_err(), "{origin}");
        }
        assert!(signer.require_origin(None).is_ok());
        signer.policy.allow_absent_origin = false;
        assert!(signer.require_origin(None).is_err());
    }
}
