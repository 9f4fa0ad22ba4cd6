//! `server.json`: how a registry of MCP servers knows a service. Its operator publishes it under their own domain.

use serde_json::{Value, json};

use crate::base::surface::{ICON_PATH, Surface};

/// Of 2025-12-11, the newest when this was written.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
// The schema's limit.
const DESCRIPTION_CHARS: usize = 100;

/// A name in reverse-DNS form, such as `com.example/cloud`.
pub(crate) fn registry_name(text: &str) -> Result<String, &'static str> {
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b));
    match text.split_once('/') {
        Some((domain, name)) if is_part(domain) && is_part(name) && !domain.contains('_') => Ok(text.to_owned()),
        _ => Err("must be a domain in reverse order and a name, such as com.example/cloud"),
    }
}

pub(crate) fn server_json(surface: &Surface, version: &str, base_url: &str, name: &str) -> Value {
    json!({
        "$schema": SCHEMA,
        "name": name,
        "title": surface.title,
        "description": description(surface.about),
        "version": version,
        "websiteUrl": format!("{base_url}/docs"),
        "icons": [{"src": format!("{base_url}{ICON_PATH}"), "mimeType": "image/svg+xml", "sizes": ["any"]}],
        // No header: clients sign in as the 401 says.
        "remotes": [{"type": "streamable-http", "url": format!("{base_url}{}", super::PATH)}],
    })
}

/// The first sentence, or as many of its clauses as fit.
fn description(about: &str) -> String {
    let sentence = about.split_inclusive(". ").next().unwrap_or(about).trim();
    if sentence.chars().count() <= DESCRIPTION_CHARS {
        return sentence.to_owned();
    }
    let fits: String = sentence.chars().take(DESCRIPTION_CHARS - 1).collect();
    let clause = fits.rfind([',', ':']).map_or(fits.as_str(), |end| &fits[..end]);
    format!("{clause}.")
}
