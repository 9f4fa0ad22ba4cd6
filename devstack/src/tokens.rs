//! Access tokens (RFC 9068) of the sample callers, and any others that one may wish for.

use std::str::FromStr;

use serde_json::{Map, Value, json};
use shared_model::Timestamp;
use shared_runtime::identity::mint;

use crate::{error::StackError, keys::KeptKey, surfaces::SurfaceName};

/// Every scope of each surface that takes tokens.
pub const SCOPES: [(SurfaceName, &str); 3] = [
    (SurfaceName::Locker, "locker.exports.create locker.billing.read locker.chat"),
    (SurfaceName::Cloud, "cloud.read cloud.propose cloud.write cloud.approve cloud.webhooks"),
    (SurfaceName::Orders, "net.orders.read net.orders.write"),
];

/// How long the sample callers' tokens are good for: an hour less than a grant may last (Cloud: `grant_max_seconds`).
pub const SAMPLE_TTL: i64 = 2_592_000 - 3_600;

/// A sample caller of one surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Where it calls.
    pub surface: SurfaceName,
    /// What stack.json calls it.
    pub name: &'static str,
    /// `sub`.
    pub subject: &'static str,
    /// What people call it.
    pub display_name: &'static str,
    /// The workspace of its grant, on Cloud.
    pub workspace: Option<&'static str>,
}

const fn caller(surface: SurfaceName, name: &'static str, subject: &'static str, display_name: &'static str) -> Caller {
    Caller { surface, name, subject, display_name, workspace: None }
}

const fn member(caller: Caller, workspace: &'static str) -> Caller {
    Caller { workspace: Some(workspace), ..caller }
}

/// Owns the sample room.
pub const LOCKER_OWNER: Caller = caller(SurfaceName::Locker, "owner", "owner", "Olive Owner");
/// Owns another room.
pub const LOCKER_OTHER: Caller = caller(SurfaceName::Locker, "other", "other", "Otto Other");
/// Works in the sample workspace.
pub const ADA: Caller = member(caller(SurfaceName::Cloud, "ada", "ada", "Ada"), "ws_1");
/// Works in the same workspace under a grant of his own.
pub const BOB: Caller = member(caller(SurfaceName::Cloud, "bob", "bob", "Bob"), "ws_1");
/// Works in another workspace.
pub const OTHER_WORKSPACE: Caller = member(caller(SurfaceName::Cloud, "other_workspace", "carol", "Carol"), "ws_2");
/// Has placed the sample order.
pub const ORDERS_OWNER: Caller = caller(SurfaceName::Orders, "owner", "owner", "Olive Owner");
/// Has placed another order.
pub const ORDERS_OTHER: Caller = caller(SurfaceName::Orders, "other", "other", "Otto Other");

/// All sample callers; the first of a surface is the one that `token` means when it is not told.
pub const CAST: [Caller; 7] = [LOCKER_OWNER, LOCKER_OTHER, ADA, BOB, OTHER_WORKSPACE, ORDERS_OWNER, ORDERS_OTHER];

impl Caller {
    /// The sample caller of a surface with this `sub`; without one, the first.
    pub fn find(surface: SurfaceName, subject: Option<&str>) -> Option<Self> {
        CAST.into_iter()
            .find(|caller| caller.surface == surface && subject.is_none_or(|subject| subject == caller.subject))
    }
}

/// The grant of whoever has this `sub`: the same at every start.
pub fn grant_id(surface: SurfaceName, subject: &str) -> String {
    format!("grant_{}_{subject}", surface.as_str())
}

/// Insists that a surface has these scopes.
pub fn check_scopes(surface: SurfaceName, scopes: &str) -> Result<(), StackError> {
    let own = scopes_of(surface);
    let unknown = scopes.split_ascii_whitespace().find(|scope| own.split(' ').all(|own| own != *scope));
    let Some(unknown) = unknown else { return Ok(()) };
    let name = surface.as_str();
    Err(StackError::new(if own.is_empty() {
        format!("{name} has no scope {unknown}: it takes no access tokens")
    } else {
        format!(
            "{name} has no scope {unknown}; it has: {own}. For a token that is to be refused: \
             --claim 'scope=\"{unknown}\"'"
        )
    }))
}

/// The scopes of a surface.
pub fn scopes_of(surface: SurfaceName) -> &'static str {
    SCOPES.iter().find(|(name, _)| *name == surface).map_or("", |(_, scopes)| scopes)
}

/// A claim from the command line: `name=JSON`.
#[derive(Clone, Debug)]
pub struct Claim {
    name: String,
    value: Value,
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, json) = text.split_once('=').ok_or("must be NAME=JSON")?;
        let value = serde_json::from_str(json)
            .map_err(|error| format!("{json} is not JSON ({error}); a string keeps its quotes: '{name}=\"{json}\"'"))?;
        Ok(Self { name: name.to_owned(), value })
    }
}

/// What a token says, before it is signed.
pub struct Claims(Map<String, Value>);

impl Claims {
    /// The claims of `subject` on a surface, with all that the surface asks for.
    pub fn new(surface: SurfaceName, issuer: &str, audience: &str, subject: &str, now: Timestamp, ttl: i64) -> Self {
        let known = Caller::find(surface, Some(subject)).or_else(|| Caller::find(surface, None));
        let mut claims = Map::new();
        let mut say = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        say("iss", issuer.into());
        say("aud", audience.into());
        say("sub", subject.into());
        say("iat", now.seconds().into());
        say("exp", now.seconds().saturating_add(ttl).into());
        say("jti", format!("jti_{:032x}", rand::random::<u128>()).into());
        say("scope", scopes_of(surface).into());
        say("grant_id", grant_id(surface, subject).into());
        match surface {
            SurfaceName::Cloud => {
                say("workspace_id", known.and_then(|caller| caller.workspace).into());
                let known = known.filter(|caller| caller.subject == subject);
                let display_name = known.map_or(subject, |caller| caller.display_name);
                say("actor", json!({"type": "user", "id": subject, "display_name": display_name}));
            }
            SurfaceName::Orders => {
                say("grant_kind", "owner".into());
            }
            SurfaceName::Locker | SurfaceName::Trust => {}
        }
        Self(claims)
    }

    /// Says something else; `null` leaves the claim out.
    pub fn set(&mut self, claim: Claim) {
        match claim.value {
            Value::Null => self.0.remove(&claim.name),
            value => self.0.insert(claim.name, value),
        };
    }

    /// What the surface will not take for an id of its own, in a sentence.
    pub fn wrong_id(&self) -> Option<String> {
        let workspace = self.0.get("workspace_id")?;
        let is_id = workspace.as_str().is_some_and(|text| text.parse::<cloud_svc::WorkspaceId>().is_ok());
        (!is_id).then(|| format!("cloud refuses this token: workspace_id is {workspace}, and must be like \"ws_2\""))
    }

    /// With this text for a claim, where there is one.
    pub fn set_text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.0.insert(name.to_owned(), text.into());
        }
    }

    /// With this name for people, where the surface wants one.
    pub fn set_display_name(&mut self, display_name: &str) {
        if let Some(actor) = self.0.get_mut("actor") {
            actor["display_name"] = display_name.into();
        }
    }

    /// The token.
    pub fn sign(self, key: &KeptKey) -> String {
        mint::sign(&key.key, &key.kid(), &Value::Object(self.0))
    }
}
