//! What an access token must claim (RFC 9068 §2.2, and what each surface needs beside it).

use std::time::Duration;

use serde_json::{Map, Value};
use shared_model::{Timestamp, id};

use super::keys::is_visible;
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
    /// Our resource ids.
    pub audiences: &'a [String],
    /// What the surface needs beside the common claims.
    pub claims: &'static [Claim],
}

/// The identity that the claims describe, if they are all there, for us, and in force; else a sentence, without its full
/// stop, that says what is wrong.
pub fn read(claims: &Map<String, Value>, expected: &Expected<'_>, now: Timestamp) -> Result<Identity, String> {
    if text(claims, "iss") != Some(expected.issuer) {
        return Err(format!("The token's iss must be {}", expected.issuer));
    }
    // A token that other services accept as well could be replayed by them.
    let audience = match claims.get("aud") {
        Some(Value::Array(list)) if list.len() == 1 => list[0].as_str(),
        Some(single) => single.as_str(),
        None => None,
    };
    if !expected.audiences.iter().any(|own| audience == Some(own)) {
        return Err(format!("The token's aud must be {}", expected.audiences.join(" or ")));
    }
    let expires_at = in_force(claims, now)?;
    visible(claims, "jti")?;
    let scope = text(claims, "scope").ok_or_else(|| wrong(claims, "scope", "text"))?;
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
                let workspace = workspace.ok_or_else(|| wrong(claims, "workspace_id", "a ws id like ws_42"))?;
                identity.workspace_id = Some(workspace);
            }
            Claim::Actor => {
                let rule = "an object with type (user, agent or service), id and display_name";
                let actor = claims.get("actor").and_then(actor).ok_or_else(|| wrong(claims, "actor", rule))?;
                identity.actor = Some(actor);
            }
            Claim::GrantKind => identity.grant_kind = Some(visible(claims, "grant_kind")?.to_owned()),
        }
    }
    Ok(identity)
}

/// `exp`, if the token is in force.
fn in_force(claims: &Map<String, Value>, now: Timestamp) -> Result<Timestamp, String> {
    let date = |name| {
        let date = claims.get(name).and_then(Value::as_i64).filter(|date| (0..=LAST_SECOND).contains(date));
        date.map(Timestamp::from_seconds).ok_or_else(|| wrong(claims, name, "a time in whole seconds"))
    };
    let (expires, issued) = (date("exp")?, date("iat")?);
    let latest = now.plus(LEEWAY);
    if has_expired(expires, now) {
        return Err(format!("The token expired at {expires}"));
    }
    if issued > latest {
        return Err(format!("The token was issued at {issued}, which is in the future"));
    }
    let since = if claims.contains_key("nbf") { date("nbf")? } else { issued };
    if since > latest {
        return Err(format!("The token is not valid before {since}"));
    }
    if !(1..=MAX_LIFETIME_SECONDS).contains(&(expires.seconds() - issued.seconds())) {
        return Err(format!("The token's exp must be at most {MAX_LIFETIME_SECONDS} seconds after its iat"));
    }
    Ok(expires)
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

fn visible<'c>(claims: &'c Map<String, Value>, name: &str) -> Result<&'c str, String> {
    let found = text(claims, name).filter(|text| is_visible(text));
    found.ok_or_else(|| wrong(claims, name, "1 to 255 visible ASCII characters"))
}

/// A claim is absent, or not what it must be.
fn wrong(claims: &Map<String, Value>, name: &str, rule: &str) -> String {
    match claims.get(name) {
        None => format!("The token has no {name}"),
        Some(_) => format!("The token's {name} must be {rule}"),
    }
}
