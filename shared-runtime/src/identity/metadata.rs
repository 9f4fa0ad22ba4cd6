//! What a service says of itself as a protected resource (RFC 9728 §2): where to obtain a token, and for what.

use serde_json::json;

use super::challenge::METADATA_PATH;
use crate::{Anyone, Desk, Halt, Routes, State, admission, answer::Plain};

/// The scopes that a service's operations ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scopes(Vec<&'static str>);

impl Scopes {
    /// The scopes of a table of routes.
    pub fn of(routes: &Routes) -> Self {
        let mut scopes: Vec<_> =
            routes.entries().iter().filter_map(|entry| Some(entry.operation.permission?.scope)).collect();
        scopes.sort_unstable();
        scopes.dedup();
        Self(scopes)
    }
}

/// Adds the document to a table of routes; the verb wants [`Scopes`] as state.
pub fn declare(routes: &mut Routes) {
    routes.get(
        METADATA_PATH,
        &admission::ANONYMOUS,
        "protected_resource_metadata",
        show,
        "Where to obtain an access token for this service, and which scopes there are (RFC 9728).",
    );
}

/// The document: outside any envelope, for anyone, for five minutes.
pub async fn show(_: Anyone, State(scopes): State<Scopes>, desk: Desk) -> Result<Plain, Halt> {
    let mut document = json!({
        "resource": desk.base_url(),
        "scopes_supported": scopes.0,
        "bearer_methods_supported": ["header"],
        "resource_name": desk.surface.title,
    });
    if let Some(issuer) = &desk.settings.issuer {
        document["authorization_servers"] = json!([issuer.issuer]);
    }
    Ok(Plain::new("application/json", document.to_string()).header("cache-control", "public, max-age=300"))
}
