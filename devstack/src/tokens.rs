//! Access tokens (RFC 9068): for the sample callers, and for any claims that a test needs.

use std::str::FromStr;

use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::{base::surface::Claim, identity::mint};

use crate::{error::StackError, keys::KeyFile, service_name::ServiceName};

// An hour less than Cloud lets a grant last (`grant_max_seconds`), so that clocks may differ.
pub const SAMPLE_TOKEN_SECONDS: i64 = 2_592_000 - 3_600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub service: ServiceName,
    /// Its name in stack.json.
    pub name: &'static str,
    pub subject: &'static str,
    pub display_name: &'static str,
    /// The workspace of its access grant, on Cloud.
    pub workspace: Option<&'static str>,
}

const fn caller(service: ServiceName, name: &'static str, subject: &'static str, display_name: &'static str) -> Caller {
    Caller { service, name, subject, display_name, workspace: None }
}

const fn member(caller: Caller, workspace: &'static str) -> Caller {
    Caller { workspace: Some(workspace), ..caller }
}

/// Owns the sample room.
pub const LOCKER_OWNER: Caller = caller(ServiceName::Locker, "owner", "owner", "Olive Owner");
/// Owns another room.
pub const LOCKER_OTHER: Caller = caller(ServiceName::Locker, "other", "other", "Otto Other");
/// Works in the sample workspace.
pub const ADA: Caller = member(caller(ServiceName::Cloud, "ada", "ada", "Ada"), "ws_1");
/// Works in the same workspace under his own access grant.
pub const BOB: Caller = member(caller(ServiceName::Cloud, "bob", "bob", "Bob"), "ws_1");
/// Works in another workspace.
pub const OTHER_WORKSPACE: Caller = member(caller(ServiceName::Cloud, "other_workspace", "carol", "Carol"), "ws_2");
/// Owns the sample order.
pub const ORDERS_OWNER: Caller = caller(ServiceName::Orders, "owner", "owner", "Olive Owner");
/// Owns another order.
pub const ORDERS_OTHER: Caller = caller(ServiceName::Orders, "other", "other", "Otto Other");

/// All sample callers. The first of a service is the default of the `token` command.
pub const CAST: [Caller; 7] = [LOCKER_OWNER, LOCKER_OTHER, ADA, BOB, OTHER_WORKSPACE, ORDERS_OWNER, ORDERS_OTHER];

impl Caller {
    /// The sample caller of a service with this `sub`, or the first one.
    pub fn find(service: ServiceName, subject: Option<&str>) -> Option<Self> {
        CAST.into_iter()
            .find(|caller| caller.service == service && subject.is_none_or(|subject| subject == caller.subject))
    }
}

/// The access grant of a subject, the same at every start.
pub fn grant_id(service: ServiceName, subject: &str) -> String {
    format!("grant_{}_{subject}", service.as_str())
}

/// Refuses scopes that the service does not have.
pub fn check_scopes(service: ServiceName, scopes: &str) -> Result<(), StackError> {
    let own = service.scopes();
    let unknown = scopes.split_ascii_whitespace().find(|scope| own.split(' ').all(|own| own != *scope));
    let Some(unknown) = unknown else { return Ok(()) };
    let name = service.as_str();
    Err(StackError::new(if own.is_empty() {
        format!("{name} has no scope {unknown}: it takes no access tokens")
    } else {
        format!(
            "{name} has no scope {unknown}; it has: {own}. To get a token that will be refused: \
             --claim 'scope=\"{unknown}\"'"
        )
    }))
}

/// A claim from the command line: `NAME=JSON`.
#[derive(Clone, Debug)]
pub struct CustomClaim {
    name: String,
    value: Value,
}

impl FromStr for CustomClaim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, json) = text.split_once('=').ok_or("must be NAME=JSON")?;
        let value = serde_json::from_str(json)
            .map_err(|error| format!("{json} is not JSON ({error}); quote strings: '{name}=\"{json}\"'"))?;
        Ok(Self { name: name.to_owned(), value })
    }
}

pub struct Claims(Map<String, Value>);

impl Claims {
    /// The claims that a service requires, for `subject`.
    pub fn new(service: ServiceName, issuer: &str, audience: &str, subject: &str, now: Timestamp, ttl: i64) -> Self {
        let known = Caller::find(service, Some(subject)).or_else(|| Caller::find(service, None));
        let mut claims = Map::new();
        let mut say = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        say("iss", issuer.into());
        say("aud", audience.into());
        say("sub", subject.into());
        say("iat", now.seconds().into());
        say("exp", now.seconds().saturating_add(ttl).into());
        say("jti", format!("jti_{:032x}", rand::random::<u128>()).into());
        say("scope", service.scopes().into());
        say("grant_id", grant_id(service, subject).into());
        for claim in service.definition().surface.claims {
            match claim {
                Claim::WorkspaceId => say("workspace_id", known.and_then(|caller| caller.workspace).into()),
                Claim::Actor => {
                    let known = known.filter(|caller| caller.subject == subject);
                    let display_name = known.map_or(subject, |caller| caller.display_name);
                    say("actor", json!({"type": "user", "id": subject, "display_name": display_name}))
                }
                Claim::GrantKind => say("grant_kind", "owner".into()),
            };
        }
        Self(claims)
    }

    /// Sets any claim; `null` removes it.
    pub fn set(&mut self, claim: CustomClaim) {
        match claim.value {
            Value::Null => self.0.remove(&claim.name),
            value => self.0.insert(claim.name, value),
        };
    }

    /// A warning if the service will refuse the workspace id.
    pub fn wrong_id(&self) -> Option<String> {
        let workspace = self.0.get("workspace_id")?;
        let is_id = workspace.as_str().is_some_and(|text| text.parse::<cloud_svc::WorkspaceId>().is_ok());
        (!is_id).then(|| format!("cloud refuses this token: workspace_id is {workspace}, and must be like \"ws_2\""))
    }

    /// Sets a claim, if a value is given.
    pub fn set_text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.0.insert(name.to_owned(), text.into());
        }
    }

    /// Sets the name shown to people, if the service requires one.
    pub fn set_display_name(&mut self, display_name: &str) {
        if let Some(actor) = self.0.get_mut("actor") {
            actor["display_name"] = display_name.into();
        }
    }

    /// Makes an agent of this name the actor, with an access grant of its own, which nobody had before. Another client
    /// may have the same name. And this issuer does not know whether a service has revoked the last grant.
    pub fn lend_to_agent(&mut self, name: &str) {
        let id: String = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        if let Some(actor) = self.0.get_mut("actor") {
            *actor = json!({"type": "agent", "id": id, "display_name": name});
        }
        if let Some(grant) = self.0.get_mut("grant_id") {
            *grant = format!("{}_{id}_{:016x}", grant.as_str().unwrap_or_default(), rand::random::<u64>()).into();
        }
    }

    pub fn sign(self, key: &KeyFile) -> String {
        mint::sign(&key.key, &key.kid(), &Value::Object(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_signs_in_again_has_another_grant() {
        let lent = || {
            let (issuer, cloud) = ("http://127.0.0.1:8080", "http://127.0.0.1:8082");
            let mut claims = Claims::new(ServiceName::Cloud, issuer, cloud, "ada", Timestamp::from_seconds(0), 60);
            claims.lend_to_agent("Helper");
            claims.0["grant_id"].as_str().expect("text").to_owned()
        };
        let (first, second) = (lent(), lent());
        assert!(first.starts_with("grant_cloud_ada_helper_"), "{first}");
        assert_ne!(first, second);
    }
}
