//! What an access token must claim (RFC 9068 §2.2, and what each surface needs beside it).

use std::time::Duration;

use serde_json::{Map, Value};
use shared_model::{Timestamp, id};

use super::{flaw::Flaw, keys::is_visible};
use crate::base::surface::Claim;

/// How far the issuer's clock and ours may differ.
pub const LEEWAY: Duration = Duration::from_secs(30);
/// How long a token may be valid (spec: `grant_max_seconds`).
const MAX_LIFETIME_SECONDS: i64 = 2_592_000;
/// The last second of the year 9999: what is later is no date.
const LAST_SECOND: i64 = 253_402_300_799;

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

/// What a token must be made for.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Who issues.
    pub issuer: &'a str,
    /// Our resource id.
    pub audience: &'a str,
    /// What the surface needs beside the common claims.
    pub claims: &'static [Claim],
}

/// The identity that the claims describe, if they are all there, for us, and in force.
pub fn read(claims: &Map<String, Value>, expected: &Expected<'_>, now: Timestamp) -> Result<Identity, Flaw> {
    if text(claims, "iss") != Some(expected.issuer) {
        return Err(Flaw("another issuer"));
    }
    // A token that other services accept as well could be replayed by them.
    let audience = match claims.get("aud") {
        Some(Value::Array(list)) if list.len() == 1 => list[0].as_str(),
        Some(single) => single.as_str(),
        None => None,
    };
    if audience != Some(expected.audience) {
        return Err(Flaw("another audience"));
    }
    let expires_at = in_force(claims, now)?;
    visible(claims, "jti")?;
    let scope = text(claims, "scope").ok_or(Flaw("no scope"))?;
    let mut identity = Identity {
        subject: visible(claims, "sub")?.to_owned(),
        grant_id: visible(claims, "grant_id")?.to_owned(),
        scopes: scope.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect(),
        expires_at,
        workspace_id: None,
        actor: None,
        grant_kind: None,
    };
    for claim in expected.claims {
        match claim {
            Claim::WorkspaceId => {
                let workspace = text(claims, "workspace_id").and_then(|text| id::parse_serial("ws", text));
                identity.workspace_id = Some(workspace.ok_or(Flaw("no workspace_id"))?);
            }
            Claim::Actor => identity.actor = Some(claims.get("actor").and_then(actor).ok_or(Flaw("no actor"))?),
            Claim::GrantKind => identity.grant_kind = Some(visible(claims, "grant_kind")?.to_owned()),
        }
    }
    Ok(identity)
}

/// `exp`, if the token is in force.
fn in_force(claims: &Map<String, Value>, now: Timestamp) -> Result<Timestamp, Flaw> {
    let date = |name| claims.get(name).and_then(Value::as_i64).filter(|date| (0..=LAST_SECOND).contains(date));
    let expires = date("exp").ok_or(Flaw("no exp"))?;
    let issued = date("iat").ok_or(Flaw("no iat"))?;
    let latest = now.plus(LEEWAY);
    if has_expired(Timestamp::from_seconds(expires), now) {
        return Err(Flaw("expired"));
    }
    if Timestamp::from_seconds(issued) > latest {
        return Err(Flaw("issued in the future"));
    }
    if claims.contains_key("nbf") && date("nbf").is_none_or(|since| Timestamp::from_seconds(since) > latest) {
        return Err(Flaw("not in force yet"));
    }
    if !(1..=MAX_LIFETIME_SECONDS).contains(&(expires - issued)) {
        return Err(Flaw("valid for longer than a grant may be"));
    }
    Ok(Timestamp::from_seconds(expires))
}

/// Whether a token that expires then has expired now.
pub fn has_expired(expires_at: Timestamp, now: Timestamp) -> bool {
    now >= expires_at.plus(LEEWAY)
}

/// Members that we do not know are the issuer's business (RFC 7519 §4).
fn actor(value: &Value) -> Option<Actor> {
    let actor = value.as_object()?;
    let kind = match text(actor, "type")? {
        "user" => ActorKind::User,
        "agent" => ActorKind::Agent,
        "service" => ActorKind::Service,
        _ => return None,
    };
    let display_name = text(actor, "display_name")
        .filter(|name| (1..=255).contains(&name.len()) && !name.chars().any(char::is_control))?;
    Some(Actor { kind, id: visible(actor, "id").ok()?.to_owned(), display_name: display_name.to_owned() })
}

fn text<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c str> {
    claims.get(name).and_then(Value::as_str)
}

fn visible<'c>(claims: &'c Map<String, Value>, name: &str) -> Result<&'c str, Flaw> {
    text(claims, name).filter(|text| is_visible(text)).ok_or(Flaw("an identifier is absent or not 1 to 255 characters"))
}
