//! Who calls: access tokens (RFC 9068) checked against the issuer's keys, and the grants behind them.

pub mod challenge;
pub mod crypto;

use std::sync::Arc;

use shared_model::Moment;

use crate::{Desk, Failure, Halt};

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
    pub id: String,
    /// A name for people; untrusted text.
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
#[derive(Clone)]
pub struct Verifier;

impl Verifier {
    /// The identity behind a bearer token: 401 when the token is bad, a failure or 503 when we cannot tell.
    pub async fn authenticate(&self, _desk: &Desk, _token: &str) -> Result<Arc<Identity>, Halt> {
        Err(Failure::fault("not yet").into())
    }
}
