//! A signer and what it may do, by the server's clock.

use shared_model::{Refusal, Timestamp};
use shared_runtime::PublicKey;

use crate::{
    codes,
    events::{Event, EventKind},
};

shared_model::text_type! {
    /// The name of a signer's key.
    pub struct KeyId {
        pattern = "^[!-~]{1,100}$",
        example = "desk-2026",
        rule = "must be 1 to 100 visible ASCII characters",
        // So that it fits one line of the signed text.
        check = |text| (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    }
}

/// A signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// The name of its key.
    pub key_id: KeyId,
    /// Its key.
    pub public_key: PublicKey,
    /// What and from where it may publish.
    pub policy: Policy,
    /// From when it may publish.
    pub active_from: Timestamp,
    /// From when it no longer may, as planned.
    pub retires_at: Option<Timestamp>,
    /// Since when it no longer may, because its key is lost or stolen.
    pub revoked_at: Option<Timestamp>,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// What a signer may publish, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Kinds of event.
    pub kinds: Vec<EventKind>,
    /// What the ids of its markets begin with, `mkt_` for all.
    pub market_prefixes: Vec<String>,
    /// Values of the `Origin` header, compared exactly.
    pub origins: Vec<String>,
    /// Whether a request without an `Origin` header, from no browser, is accepted.
    pub allow_absent_origin: bool,
}

impl Default for Policy {
    /// Everything, but not from a browser.
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
    /// A signer that may publish everything from now on, but not from a browser.
    pub fn new(key_id: KeyId, public_key: PublicKey, now: Timestamp) -> Self {
        let policy = Policy::default();
        Self { key_id, public_key, policy, active_from: now, retires_at: None, revoked_at: None, created_at: now }
    }

    /// 403 unless the signer is active now. A revocation counts as soon as it is stored, whatever clock it was made by.
    pub fn require_active(&self, now: Timestamp) -> Result<(), Refusal> {
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

    /// 403 unless the signer publishes from this `Origin`.
    pub fn require_origin(&self, origin: Option<&str>) -> Result<(), Refusal> {
        let (is_admitted, sentence) = match origin {
            None => (self.policy.allow_absent_origin, "This signer publishes only with an Origin header."),
            Some(origin) => (
                self.policy.origins.iter().any(|admitted| admitted == origin),
                "This signer does not publish from this Origin.",
            ),
        };
        if is_admitted { Ok(()) } else { Err(codes::ORIGIN_DENIED.because(sentence)) }
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

/// Checks that an origin is written as browsers write it (RFC 6454 §6.2), for it is compared exactly.
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

/// Checks what the ids of a signer's markets begin with.
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
    fn a_signer_is_active_from_its_first_moment_until_before_its_last() {
        let active = |signer: &Signer, seconds| signer.require_active(Timestamp::from_seconds(seconds)).is_ok();
        let mut signer = signer();
        assert_eq!([99, 100, 199, 200].map(|at| active(&signer, at)), [false, true, true, false]);
        signer.revoked_at = Some(Timestamp::from_seconds(150));
        assert_eq!([149, 150].map(|at| active(&signer, at)), [false, false]);
    }

    #[test]
    fn a_key_id_cannot_break_the_signing_text() {
        assert!("press-2026/1".parse::<KeyId>().is_ok());
        for text in ["", "a b", "a\nb", "ä", &"x".repeat(101)] {
            assert!(text.parse::<KeyId>().is_err(), "{text:?}");
        }
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
