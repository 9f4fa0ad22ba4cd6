//! Who calls: access tokens (RFC 9068) checked against the issuer's keys, and the grants behind them.

mod cache;
pub mod challenge;
mod claims;
pub mod crypto;
mod grants;
mod jwks;
mod keyring;
mod keys;
pub mod mint;
mod revocations;
mod token;

use std::sync::Arc;

use shared_model::Moment;

use crate::{Clock, Desk, Halt, settings::IssuerSettings};
use cache::{Verified, VerifiedTokens};
use claims::Expected;
use grants::Record;
use keyring::{Keyring, NoKey};
use revocations::Revocations;
use token::{Flaw, Presented};

pub use grants::{FirstSight, was_seen};
pub use revocations::{MAX_AGE as REVOKED_WITHIN, revoke};

/// What a valid access token says.
#[derive(Clone, Debug)]
pub struct Identity {
    /// `sub`: the person or service that the grant belongs to.
    pub subject: String,
    /// `grant_id`: limits, revocation and ownership hang on it.
    pub grant_id: String,
    /// `scope`, split at blanks.
    pub scopes: Vec<String>,
    /// `exp`.
    pub expires_at: Moment,
    /// Cloud: the one workspace that the grant selects (the number of `ws_…`).
    pub workspace_id: Option<i64>,
    /// Cloud: who acts, shown in answers.
    pub actor: Option<Actor>,
    /// Orders: `owner` or another kind.
    pub grant_kind: Option<String>,
}

/// Who acts under a grant.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// Whether a person, an agent or a service acts.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// Its id at the authorization server.
    #[schema(example = "user-7")]
    pub id: String,
    /// A name for people; untrusted text.
    #[schema(example = "Ada")]
    pub display_name: String,
}

/// Kinds of actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// A person.
    User,
    /// A program that acts for a person.
    Agent,
    /// A program that acts for itself.
    Service,
}

/// Checks access tokens.
#[derive(Clone, Debug)]
pub struct Verifier(Arc<State>);

#[derive(Debug)]
struct State {
    issuer: Option<Issuer>,
    first_sight: FirstSight,
    verified: VerifiedTokens,
    revocations: Revocations,
}

#[derive(Debug)]
struct Issuer {
    name: String,
    keys: Arc<Keyring>,
}

impl Verifier {
    /// A verifier of this issuer's tokens; without an issuer, nobody is authenticated. Keys are fetched when they are
    /// needed, or by [`Self::tend`].
    pub fn new(issuer: Option<IssuerSettings>, first_sight: FirstSight) -> Self {
        crypto::install();
        let issuer = issuer.map(|issuer| Issuer { name: issuer.issuer, keys: Keyring::new(issuer.jwks) });
        Self(Arc::new(State {
            issuer,
            first_sight,
            verified: VerifiedTokens::default(),
            revocations: Revocations::unknown(),
        }))
    }

    /// Keeps the issuer's keys fresh; to be spawned once, ends by itself when the verifier is gone.
    pub fn tend(&self, clock: Clock) -> impl Future<Output = ()> + Send + use<> {
        let keys = self.0.issuer.as_ref().map(|issuer| Arc::downgrade(&issuer.keys));
        async move {
            if let Some(keys) = keys {
                Keyring::tend(keys, clock).await;
            }
        }
    }

    /// The identity behind a bearer token: 401 when the token is bad, a failure or 503 when we cannot tell.
    ///
    /// What is wrong with a bad token is told to the debug log only: an attacker learns nothing from the answer.
    pub async fn authenticate(&self, desk: &Desk, token: &str) -> Result<Arc<Identity>, Halt> {
        let Some(issuer) = &self.0.issuer else {
            return Err(challenge::not_configured(desk).into());
        };
        let bad = |Flaw(flaw)| {
            tracing::debug!(flaw, "an access token is refused");
            Halt::from(challenge::invalid_token(desk))
        };
        if token.len() > token::MAX_BYTES {
            return Err(bad(Flaw("longer than 8 KiB")));
        }
        let now = desk.clock.now();
        let digest = VerifiedTokens::digest(token);
        let known = self.0.verified.get(&digest).filter(|verified| {
            !claims::has_expired(verified.identity.expires_at, now) && issuer.keys.vouches_for(&verified.key, now)
        });
        let is_known = known.is_some();
        let verified = match known {
            Some(verified) => verified,
            None => {
                let expected =
                    Expected { issuer: &issuer.name, audience: desk.base_url(), claims: desk.surface.claims };
                issuer.verify(&desk.clock, token, &expected).await.map_err(|unverified| match unverified {
                    Unverified::Bad(flaw) => bad(flaw),
                    Unverified::CannotTell { after_seconds } => challenge::cannot_tell(after_seconds).into(),
                })?
            }
        };
        if self.0.revocations.contain(desk, &verified.identity.grant_id, now).await? {
            return Err(bad(Flaw("the grant is revoked")));
        }
        if !is_known {
            if self.record(desk, &verified.identity).await? == Record::Foreign {
                return Err(bad(Flaw("the grant is another subject's or selects another workspace")));
            }
            self.0.verified.insert(digest, verified.clone());
        }
        Ok(verified.identity)
    }

    /// Whether the operator has revoked this grant: for what outlives the request that it was made in.
    pub async fn is_revoked(&self, desk: &Desk, grant_id: &str) -> Result<bool, Halt> {
        self.0.revocations.contain(desk, grant_id, desk.clock.now()).await
    }

    /// Records the grant, if that is not done yet: most often it is, and a read is enough.
    async fn record(&self, desk: &Desk, identity: &Arc<Identity>) -> Result<Record, Halt> {
        let asked = Arc::clone(identity);
        match desk.read(move |conn| Ok(grants::compare(conn, &asked)?)).await? {
            Record::Outdated => {
                let (identity, first_sight, now) = (Arc::clone(identity), self.0.first_sight, desk.clock.now());
                desk.write(move |conn| Ok(grants::record(conn, &identity, now, first_sight)?)).await
            }
            decided => Ok(decided),
        }
    }
}

/// Why a token proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unverified {
    /// It is bad: 401.
    Bad(Flaw),
    /// We cannot tell: 503.
    CannotTell { after_seconds: u64 },
}

impl Issuer {
    /// The whole check of one token, but for what the database knows of its grant.
    async fn verify(&self, clock: &Clock, token: &str, expected: &Expected<'_>) -> Result<Verified, Unverified> {
        let presented = Presented::read(token, expected, clock.now()).map_err(Unverified::Bad)?;
        let key = self.keys.key(clock, presented.kid(), presented.algorithm()).await.map_err(|none| match none {
            NoKey::Refused => Unverified::Bad(Flaw("the issuer has no such key")),
            NoKey::CannotTell { after_seconds } => Unverified::CannotTell { after_seconds },
        })?;
        let identity = presented.proven_by(&key).map_err(Unverified::Bad)?;
        Ok(Verified { identity: Arc::new(identity), key })
    }
}
