//! Checks access tokens: 401 for a bad one, 503 when the issuer's keys or the database cannot be reached.

use std::sync::Arc;

use shared_model::Error;

use super::{
    cache::{Verified, VerifiedTokens},
    challenge::Challenge,
    claims::{self, Expected, Identity},
    crypto,
    flaw::Flaw,
    grants::{self, GrantRecord, OnFirstSeen},
    keyring::{Keyring, NoKey},
    resources::Resources,
    revocations::Revocations,
    settings::IssuerSettings,
    token::{self, Presented},
};
use crate::{
    base::{
        clock::Clock,
        metrics::{Metric, Metrics},
        surface::Claim,
    },
    state::db::Db,
};

const KEYS_AGE: Metric = Metric {
    name: "issuer_keys_age_seconds",
    help: "Time since the issuer's keys were fetched; +Inf while none are known.",
};
const KEYS_AWAY: Metric = Metric { name: "issuer_keys_away", help: "1 while the issuer's keys cannot be fetched." };

/// Which tokens a service accepts.
#[derive(Clone, Debug)]
pub struct IdentityRules {
    /// Who issues them; none: nobody is authenticated.
    pub issuer: Option<IssuerSettings>,
    /// The service's own base URL: its resource id, `aud`.
    pub base_url: String,
    /// The other one, of its TLS listener, where that is in clear text.
    pub tls_base_url: Option<String>,
    /// Claims beside the common ones.
    pub claims: &'static [Claim],
    /// What happens in the database when a grant is seen for the first time.
    pub on_first_seen: OnFirstSeen,
}

/// Checks access tokens.
#[derive(Clone)]
pub struct Verifier(Arc<Inner>);

struct Inner {
    db: Db,
    clock: Clock,
    issuer: Option<Issuer>,
    audiences: Vec<String>,
    claims: &'static [Claim],
    on_first_seen: OnFirstSeen,
    resources: Resources,
    verified: VerifiedTokens,
    revocations: Revocations,
}

struct Issuer {
    name: String,
    keys: Arc<Keyring>,
}

impl Verifier {
    /// A verifier of these tokens. Keys are fetched when they are needed, or by [`Self::refresh_keys`].
    pub fn new(rules: IdentityRules, db: Db, clock: Clock) -> Self {
        crypto::install();
        let IdentityRules { issuer, base_url, tls_base_url, claims, on_first_seen } = rules;
        let resources = Resources::new(&base_url, tls_base_url.as_deref());
        Self(Arc::new(Inner {
            db,
            clock,
            issuer: issuer.map(|issuer| Issuer { name: issuer.issuer, keys: Keyring::new(issuer.jwks) }),
            audiences: resources.audiences(),
            resources,
            claims,
            on_first_seen,
            verified: VerifiedTokens::default(),
            revocations: Revocations::unknown(),
        }))
    }

    /// Keeps the issuer's keys fresh: a background task, to be spawned once. Ends when the verifier is dropped.
    pub fn refresh_keys(&self) -> impl Future<Output = ()> + Send + use<> {
        let keys = self.0.issuer.as_ref().map(|issuer| Arc::downgrade(&issuer.keys));
        let clock = self.0.clock.clone();
        async move {
            if let Some(keys) = keys {
                Keyring::refresh(keys, clock).await;
            }
        }
    }

    /// Sets the gauges of the issuer's keys, where there is an issuer.
    pub fn observe(&self, metrics: &Metrics) {
        let Some(issuer) = &self.0.issuer else { return };
        let age = issuer.keys.age(self.0.clock.now()).map_or(f64::INFINITY, |age| age.as_secs_f64());
        metrics.gauge(&KEYS_AGE, &[]).set(age);
        metrics.gauge(&KEYS_AWAY, &[]).set(f64::from(u8::from(issuer.keys.outage().is_some())));
    }

    /// Whether the issuer's keys are known and can be fetched, in plain words; `None` without an issuer.
    pub fn keys_state(&self) -> Option<Result<(), String>> {
        let keys = &self.0.issuer.as_ref()?.keys;
        Some(match keys.outage() {
            Some(cause) => Err(cause),
            None if keys.age(self.0.clock.now()).is_none() => Err("not fetched yet".to_owned()),
            None => Ok(()),
        })
    }

    /// The challenges that come with 401 and 403 to a request with this `Host`.
    pub fn challenge(&self, host: Option<&str>) -> &Challenge {
        self.0.resources.asked_at(host)
    }

    /// The identity behind a bearer token: 401, with this challenge, when the token is bad; 503, or a failure, when
    /// that cannot be checked.
    ///
    /// What is wrong with a token is told once the issuer's signature on it is verified; else it is in the debug log
    /// only.
    pub async fn authenticate(&self, token: &str, challenge: &Challenge) -> Result<Arc<Identity>, Error> {
        let Inner { db, clock, verified, .. } = &*self.0;
        let Some(issuer) = &self.0.issuer else {
            return Err(challenge.not_configured().into());
        };
        let bad = |flaw: Flaw| {
            tracing::debug!(?flaw, "an access token is refused");
            Error::from(challenge.invalid_token(flaw.told()))
        };
        if token.len() > token::MAX_BYTES {
            return Err(bad(Flaw::Unproven("longer than 8 KiB")));
        }
        let now = clock.now();
        let digest = VerifiedTokens::digest(token);
        let known = verified
            .get(&digest)
            .filter(|known| !claims::has_expired(known.identity.expires_at, now) && issuer.keys.has(&known.key, now));
        let is_known = known.is_some();
        let found = match known {
            Some(known) => known,
            None => {
                let expected = Expected { issuer: &issuer.name, audiences: &self.0.audiences, claims: self.0.claims };
                issuer.verify(clock, token, &expected).await.map_err(|unverified| match unverified {
                    Unverified::Bad(flaw) => bad(flaw),
                    Unverified::CannotTell { after_seconds } => super::challenge::cannot_tell(after_seconds).into(),
                })?
            }
        };
        if self.0.revocations.contain(db, clock, &found.identity.grant_id).await? {
            return Err(bad(Flaw::Proven("The token's grant is revoked".to_owned())));
        }
        if !is_known {
            if self.record(&found.identity).await? == GrantRecord::Foreign {
                return Err(bad(Flaw::Unproven("the grant is another subject's or selects another workspace")));
            }
            verified.insert(digest, found.clone());
        }
        Ok(found.identity)
    }

    /// Whether the operator has revoked this grant: for what outlives the request that it was made in.
    pub async fn is_revoked(&self, grant_id: &str) -> Result<bool, Error> {
        self.0.revocations.contain(&self.0.db, &self.0.clock, grant_id).await
    }

    /// Records the grant, if that is not done yet: most often it is, and a read is enough.
    async fn record(&self, identity: &Arc<Identity>) -> Result<GrantRecord, Error> {
        let asked = Arc::clone(identity);
        match self.0.db.read(move |conn| Ok(grants::compare(conn, &asked)?)).await? {
            GrantRecord::Outdated => {
                let (identity, on_first_seen, now) = (Arc::clone(identity), self.0.on_first_seen, self.0.clock.now());
                self.0.db.write(move |conn| Ok(grants::record(conn, &identity, now, on_first_seen)?)).await
            }
            decided => Ok(decided),
        }
    }
}

/// Why a token proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unverified {
    /// It is bad: 401.
    Bad(Flaw),
    /// The issuer cannot be asked: 503.
    CannotTell { after_seconds: u64 },
}

impl Issuer {
    /// The whole check of one token, but for what the database knows of its grant.
    async fn verify(&self, clock: &Clock, token: &str, expected: &Expected<'_>) -> Result<Verified, Unverified> {
        let presented = Presented::read(token, expected, clock.now()).map_err(Unverified::Bad)?;
        let (kid, algorithm) = (presented.kid(), presented.algorithm());
        let key = if presented.claims_well() {
            self.keys.key(clock, kid, algorithm).await
        } else {
            // It is bad under whatever key, so none is fetched for it.
            self.keys.at_hand(clock.now(), kid, algorithm).ok_or(NoKey::Refused)
        };
        let key = key.map_err(|none| match none {
            NoKey::Refused => Unverified::Bad(Flaw::Unproven("the issuer has no such key")),
            NoKey::CannotTell { after_seconds } => Unverified::CannotTell { after_seconds },
        })?;
        let identity = presented.proven_by(&key).map_err(Unverified::Bad)?;
        Ok(Verified { identity: Arc::new(identity), key })
    }
}
