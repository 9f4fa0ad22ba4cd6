//! Checks the claims of an access token: those of RFC 9068 §2.2, and those that the service needs in addition.

use std::time::Duration;

use serde_json::{Map, Value};
use shared_model::{Timestamp, id};

use super::keys::is_visible;
use crate::base::surface::Claim;

/// How far the issuer's clock and ours may differ.
pub const LEEWAY: Duration = Duration::from_secs(30);
// The longest grant: 30 days.
const MAX_LIFETIME_SECONDS: i64 = 2_592_000;
// The end of the year 9999, the last time that a timestamp can write.
const LAST_SECOND: i64 = 253_402_300_799;

#[derive(Clone, Debug)]
pub struct Identity {
    /// `sub`: the person or service that owns the grant.
    pub subject: String,
    /// `grant_id`: rate limits, revocations and ownership refer to it.
    pub grant_id: String,
    /// `scope`, split at spaces.
    pub scopes: Vec<String>,
    pub expires_at: Timestamp,
    /// Cloud: the workspace that the grant selects (the number of `ws_…`).
    pub workspace_id: Option<i64>,
    pub actor: Option<Actor>,
    /// Orders: `owner` or another kind.
    pub grant_kind: Option<String>,
}

/// Who acts under a grant.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// Its id at the authorization server.
    #[schema(example = "user-7")]
    pub id: String,
    /// A name for people. Untrusted text.
    #[schema(example = "Ada")]
    pub display_name: String,
}

/// Kinds of actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    User,
    /// A program that acts for a person.
    Agent,
    /// A program that acts for itself.
    Service,
}

#[derive(Clone, Copy, Debug)]
pub struct ClaimRules<'a> {
    pub issuer: &'a str,
    pub audiences: &'a [String],
    pub claims: &'static [Claim],
}

/// Reads the identity from valid claims. The error is a sentence without its period, for the holder of the token.
pub fn read(claims: &Map<String, Value>, expected: &ClaimRules<'_>, now: Timestamp) -> Result<Identity, String> {
    if text(claims, "iss") != Some(expected.issuer) {
        return Err(format!("The token's iss must be {}", expected.issuer));
    }
    // Exactly one audience: another service that accepts the same token could send it to us.
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

pub fn has_expired(expires_at: Timestamp, now: Timestamp) -> bool {
    now >= expires_at.plus(LEEWAY)
}

// Unknown members are allowed (RFC 7519 §4).
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

fn wrong(claims: &Map<String, Value>, name: &str, rule: &str) -> String {
    match claims.get(name) {
        None => format!("The token has no {name}"),
        Some(_) => format!("The token's {name} must be {rule}"),
    }
}
