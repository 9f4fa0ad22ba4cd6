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
pub mod settings;
mod token;

use std::sync::Arc;

use shared_model::{Error, Timestamp};

use crate::{base::clock::Clock, context::Context};
use cache::{Verified, VerifiedTokens};
use claims::Expected;
use grants::Record;
use keyring::{Keyring, NoKey};
use revocations::Revocations;
use settings::IssuerSettings;
use token::{Flaw, Presented};

pub use grants::{OnFirstSeen, was_seen};
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
    pub expires_at: Timestamp,
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
    on_first_seen: OnFirstSeen,
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
    pub fn new(issuer: Option<IssuerSettings>, on_first_seen: OnFirstSeen) -> Self {
        crypto::install();
        let issuer = issuer.map(|issuer| Issuer { name: issuer.issuer, keys: Keyring::new(issuer.jwks) });
        Self(Arc::new(State {
            issuer,
            on_first_seen,
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
    pub async fn authenticate(&self, context: &Context, token: &str) -> Result<Arc<Identity>, Error> {
        let Some(issuer) = &self.0.issuer else {
            return Err(challenge::not_configured(context).into());
        };
        let bad = |Flaw(flaw)| {
            tracing::debug!(flaw, "an access token is refused");
            Error::from(challenge::invalid_token(context))
        };
        if token.len() > token::MAX_BYTES {
            return Err(bad(Flaw("longer than 8 KiB")));
        }
        let now = context.clock.now();
        let digest = VerifiedTokens::digest(token);
        let known = self.0.verified.get(&digest).filter(|verified| {
            !claims::has_expired(verified.identity.expires_at, now) && issuer.keys.vouches_for(&verified.key, now)
        });
        let is_known = known.is_some();
        let verified = match known {
            Some(verified) => verified,
            None => {
                let expected =
                    Expected { issuer: &issuer.name, audience: context.base_url(), claims: context.surface.claims };
                issuer.verify(&context.clock, token, &expected).await.map_err(|unverified| match unverified {
                    Unverified::Bad(flaw) => bad(flaw),
                    Unverified::CannotTell { after_seconds } => challenge::cannot_tell(after_seconds).into(),
                })?
            }
        };
        if self.0.revocations.contain(context, &verified.identity.grant_id, now).await? {
            return Err(bad(Flaw("the grant is revoked")));
        }
        if !is_known {
            if self.record(context, &verified.identity).await? == Record::Foreign {
                return Err(bad(Flaw("the grant is another subject's or selects another workspace")));
            }
            self.0.verified.insert(digest, verified.clone());
        }
        Ok(verified.identity)
    }

    /// Whether the operator has revoked this grant: for what outlives the request that it was made in.
    pub async fn is_revoked(&self, context: &Context, grant_id: &str) -> Result<bool, Error> {
        self.0.revocations.contain(context, grant_id, context.clock.now()).await
    }

    /// Records the grant, if that is not done yet: most often it is, and a read is enough.
    async fn record(&self, context: &Context, identity: &Arc<Identity>) -> Result<Record, Error> {
        let asked = Arc::clone(identity);
        match context.read(move |conn| Ok(grants::compare(conn, &asked)?)).await? {
            Record::Outdated => {
                let (identity, on_first_seen, now) = (Arc::clone(identity), self.0.on_first_seen, context.clock.now());
                context.write(move |conn| Ok(grants::record(conn, &identity, now, on_first_seen)?)).await
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
