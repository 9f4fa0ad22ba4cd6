//! Verifies access tokens: 401 for a bad one, 503 when the issuer's keys or the database cannot be reached.

use std::sync::Arc;

use shared_model::{Error, failure::Kind};

use super::{
    cache::{VerifiedToken, VerifiedTokens},
    challenge::Challenge,
    claims::{self, ClaimRules, Identity},
    crypto,
    grants::{self, GrantRecord, OnFirstSeen},
    keyring::{KeyError, Keyring},
    resource_names::ResourceNames,
    revocations::Revocations,
    settings::IssuerSettings,
    token::{self, UnverifiedToken},
    token_error::TokenError,
};
use crate::{
    base::{
        clock::Clock,
        metrics::{Metric, Metrics},
        surface::Claim,
    },
    state::db::Db,
};

const KEYS_AGE: Metric = Metric::gauge(
    "issuer_keys_age_seconds",
    &[],
    "Time since the issuer's keys were fetched; +Inf while none are known. Above 21600 every token is answered with 503.",
);
const KEYS_AWAY: Metric = Metric::gauge("issuer_keys_away", &[], "1 while the issuer's keys cannot be fetched.");

pub const METRICS: [&Metric; 2] = [&KEYS_AGE, &KEYS_AWAY];

#[derive(Clone, Debug)]
pub struct IdentityRules {
    /// `None`: nobody can be authenticated.
    pub issuer: Option<IssuerSettings>,
    /// An accepted `aud`.
    pub base_url: String,
    /// The base URL of the TLS listener, when `base_url` is http. Another accepted `aud`.
    pub tls_base_url: Option<String>,
    /// The scope that `/mcp` requires.
    pub mcp_scope: Option<&'static str>,
    pub claims: &'static [Claim],
    pub on_first_seen: OnFirstSeen,
}

#[derive(Clone)]
pub struct Verifier(Arc<Inner>);

struct Inner {
    db: Db,
    clock: Clock,
    issuer: Option<Issuer>,
    audiences: Vec<String>,
    claims: &'static [Claim],
    on_first_seen: OnFirstSeen,
    resources: ResourceNames,
    verified: VerifiedTokens,
    revocations: Revocations,
}

struct Issuer {
    name: String,
    keys: Arc<Keyring>,
}

impl Verifier {
    /// Keys are fetched when they are needed, or by [`Self::refresh_keys`].
    pub fn new(rules: IdentityRules, db: Db, clock: Clock) -> Self {
        crypto::install();
        let IdentityRules { issuer, base_url, tls_base_url, mcp_scope, claims, on_first_seen } = rules;
        let resources = ResourceNames::new(&base_url, tls_base_url.as_deref(), mcp_scope);
        Self(Arc::new(Inner {
            db,
            clock,
            issuer: issuer.map(|issuer| Issuer { name: issuer.issuer, keys: Keyring::new(issuer.jwks) }),
            audiences: resources.audiences(),
            resources,
            claims,
            on_first_seen,
            verified: VerifiedTokens::default(),
            revocations: Revocations::empty(),
        }))
    }

    /// Keeps the issuer's keys fresh. Spawn it once; it ends when the verifier is dropped.
    pub fn refresh_keys(&self) -> impl Future<Output = ()> + Send + use<> {
        let keys = self.0.issuer.as_ref().map(|issuer| Arc::downgrade(&issuer.keys));
        let clock = self.0.clock.clone();
        async move {
            if let Some(keys) = keys {
                Keyring::refresh(keys, clock).await;
            }
        }
    }

    pub fn observe(&self, metrics: &Metrics) {
        let Some(issuer) = &self.0.issuer else { return };
        let age = issuer.keys.age(self.0.clock.now()).map_or(f64::INFINITY, |age| age.as_secs_f64());
        metrics.gauge(&KEYS_AGE, &[]).set(age);
        metrics.gauge(&KEYS_AWAY, &[]).set(f64::from(u8::from(issuer.keys.outage().is_some())));
    }

    /// The reason when the issuer's keys are not available; `None` without an issuer.
    pub fn keys_state(&self) -> Option<Result<(), String>> {
        let keys = &self.0.issuer.as_ref()?.keys;
        Some(match keys.outage() {
            Some(cause) => Err(cause),
            None if keys.age(self.0.clock.now()).is_none() => Err("not fetched yet".to_owned()),
            None => Ok(()),
        })
    }

    /// The challenges for a request with this `Host` and path.
    pub fn challenge(&self, host: Option<&str>, path: &str) -> &Challenge {
        self.0.resources.for_request(host, path)
    }

    /// Returns the identity behind a bearer token. 401 with this challenge when the token is bad, 503 or a failure when
    /// it could not be verified.
    pub async fn authenticate(&self, token: &str, challenge: &Challenge) -> Result<Arc<Identity>, Error> {
        let Inner { clock, verified, .. } = &*self.0;
        let Some(issuer) = &self.0.issuer else {
            return Err(challenge.not_configured().into());
        };
        let bad = |error| refused(challenge, error);
        if token.len() > token::MAX_BYTES {
            return Err(bad(TokenError::Unproven("longer than 8 KiB")));
        }
        let now = clock.now();
        let digest = VerifiedTokens::digest(token);
        // The cache spares the signature, not the checks: expiry, the key and the revocations may have changed.
        let known = verified
            .get(&digest)
            .filter(|known| !claims::has_expired(known.identity.expires_at, now) && issuer.keys.has(&known.key, now));
        let is_known = known.is_some();
        let found = match known {
            Some(known) => known,
            None => {
                let expected = ClaimRules { issuer: &issuer.name, audiences: &self.0.audiences, claims: self.0.claims };
                issuer.verify(clock, token, &expected).await.map_err(|unverified| match unverified {
                    VerifyError::Invalid(error) => bad(error),
                    VerifyError::Unavailable { after_seconds } => {
                        super::challenge::issuer_unreachable(after_seconds).into()
                    }
                })?
            }
        };
        self.check_revoked(&found.identity, challenge).await?;
        if !is_known {
            match self.record(&found.identity).await? {
                GrantRecord::Foreign => {
                    let why = "the grant is another subject's or selects another workspace";
                    return Err(bad(TokenError::Unproven(why)));
                }
                // Not kept: the next request tries again to record its later end.
                GrantRecord::Outdated => {}
                GrantRecord::Same | GrantRecord::Missing => verified.insert(digest, found.clone()),
            }
        }
        Ok(found.identity)
    }

    /// 401 if the token of an authenticated identity has expired since, or its grant is revoked.
    pub async fn check_again(&self, identity: &Identity, challenge: &Challenge) -> Result<(), Error> {
        if claims::has_expired(identity.expires_at, self.0.clock.now()) {
            let sentence = format!("The token expired at {}", identity.expires_at);
            return Err(refused(challenge, TokenError::Proven(sentence)));
        }
        self.check_revoked(identity, challenge).await
    }

    async fn check_revoked(&self, identity: &Identity, challenge: &Challenge) -> Result<(), Error> {
        if self.is_revoked(&identity.grant_id).await? {
            return Err(refused(challenge, TokenError::Proven("The token's grant is revoked".to_owned())));
        }
        Ok(())
    }

    /// For work that outlives its request, for instance a stream.
    pub async fn is_revoked(&self, grant_id: &str) -> Result<bool, Error> {
        self.0.revocations.contains(&self.0.db, &self.0.clock, grant_id).await
    }

    async fn record(&self, identity: &Arc<Identity>) -> Result<GrantRecord, Error> {
        let asked = Arc::clone(identity);
        // Almost always the record is up to date, and a read does not wait for a lane.
        let found = self.0.db.look_up(move |conn| Ok(grants::compare(conn, &asked)?)).await?;
        if matches!(found, GrantRecord::Same | GrantRecord::Foreign) {
            return Ok(found);
        }
        let (lane, on_first_seen, now) = (grants::lane(identity), self.0.on_first_seen, self.0.clock.now());
        let identity = Arc::clone(identity);
        let written =
            self.0.db.write_in(lane, move |conn| Ok(grants::record(conn, &identity, now, on_first_seen)?)).await;
        match written {
            // Only a later end was to be recorded. On a full disk those whose token was renewed must go on reading.
            Err(Error::Failed(failure)) if found == GrantRecord::Outdated && failure.kind() == Kind::Unavailable => {
                if !failure.is_already_logged() {
                    tracing::debug!(%failure, "the later end of a grant was not recorded");
                }
                Ok(found)
            }
            written => written,
        }
    }
}

// Only the holder of a token that the issuer signed learns what is wrong with it. Everyone else learns nothing.
fn refused(challenge: &Challenge, error: TokenError) -> Error {
    tracing::debug!(?error, "an access token is refused");
    challenge.invalid_token(error.public_reason()).into()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum VerifyError {
    /// 401.
    Invalid(TokenError),
    /// 503.
    Unavailable { after_seconds: u64 },
}

impl Issuer {
    // Everything but the checks in the database.
    async fn verify(
        &self,
        clock: &Clock,
        token: &str,
        expected: &ClaimRules<'_>,
    ) -> Result<VerifiedToken, VerifyError> {
        let presented = UnverifiedToken::read(token, expected, clock.now()).map_err(VerifyError::Invalid)?;
        let (kid, algorithm) = (presented.kid(), presented.algorithm());
        let key = if presented.has_valid_claims() {
            self.keys.key(clock, kid, algorithm).await
        } else {
            // A token with bad claims is refused under any key, so do not fetch one for it.
            self.keys.cached_key(clock.now(), kid, algorithm).ok_or(KeyError::Refused)
        };
        let key = key.map_err(|none| match none {
            KeyError::Refused => VerifyError::Invalid(TokenError::Unproven("the issuer has no such key")),
            KeyError::Unavailable { after_seconds } => VerifyError::Unavailable { after_seconds },
        })?;
        let identity = presented.verify_with(&key).map_err(VerifyError::Invalid)?;
        Ok(VerifiedToken { identity: Arc::new(identity), key })
    }
}
