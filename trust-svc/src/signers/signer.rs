//! A signer and what it may do, judged by the server's clock.

use shared_model::{NextAction, Refusal, Timestamp};

use super::{KeyId, PublicKey};
use crate::{
    codes,
    events::{Event, Kind},
};

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
    pub kinds: Vec<Kind>,
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
            kinds: Kind::ALL.iter().map(|(_, kind)| *kind).collect(),
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

    /// 403 unless the signer is active now.
    pub fn require_active(&self, now: Timestamp) -> Result<(), Refusal> {
        let sentence = if self.revoked_at.is_some_and(|at| at <= now) {
            "The signer is revoked."
        } else if self.retires_at.is_some_and(|at| at <= now) {
            "The signer has retired."
        } else if now < self.active_from {
            "The signer is not active yet."
        } else {
            return Ok(());
        };
        Err(codes::SIGNER_NOT_ACTIVE.because(sentence).next(NextAction::ContactSupport))
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
        if is_admitted { Ok(()) } else { Err(codes::ORIGIN_DENIED.because(sentence).next(NextAction::ContactSupport)) }
    }

    /// 403 unless the signer may publish this kind of event for this market.
    pub fn require_allowed(&self, event: &Event) -> Result<(), Refusal> {
        let Event { kind, market_id, .. } = event;
        if !self.policy.kinds.contains(kind) {
            return Err(codes::SIGNER_NOT_ALLOWED
                .because(format!("The signer may not publish events of kind {kind}."))
                .next(NextAction::ContactSupport));
        }
        if !self.policy.market_prefixes.iter().any(|prefix| market_id.as_str().starts_with(prefix)) {
            return Err(codes::SIGNER_NOT_ALLOWED
                .because(format!("The signer may not publish for the market {market_id}."))
                .next(NextAction::ContactSupport));
        }
        Ok(())
    }
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
        assert_eq!([149, 150].map(|at| active(&signer, at)), [true, false]);
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
