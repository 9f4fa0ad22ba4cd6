//! `/.well-known/api-catalog` (RFC 9727) and `/.well-known/ai-catalog.json` (the AI Catalog, 1.0).

use serde_json::{Value, json};
use shared_model::Error;

use super::{
    places::{DOCS_PATH, LLMS_PATH, SERVER_CARD_PATH},
    plain, server_card,
};
use crate::{
    http::{openapi::OpenApiText, reply::Reply},
    identity::challenge,
    pages::request::PageRequest,
};

const LINKSET: &str = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
const AI_CATALOG: &str = "application/ai-catalog+json";
/// Documents that describe a service to programs; a service has some of them.
const METAS: [&str; 2] = [challenge::METADATA_PATH, "/.well-known/developer-manifest.json"];

/// A linkset (RFC 9264) with the API as its one context, and the endpoint for agents as another.
pub async fn api_catalog(visit: PageRequest) -> Result<Reply, Error> {
    let document = visit.state::<OpenApiText>()?;
    let base = plain::base_url(&visit);
    let link = |path: &str, media_type: &str| json!({"href": format!("{base}{path}"), "type": media_type});
    let metas: Vec<Value> =
        METAS.into_iter().filter(|path| document.has_path(path)).map(|path| link(path, "application/json")).collect();
    let mut contexts = vec![json!({
        "anchor": format!("{base}/"),
        "service-desc": [link("/openapi.json", "application/json")],
        "service-doc": [link(DOCS_PATH, "text/html"), link(LLMS_PATH, "text/plain")],
        "service-meta": metas,
    })];
    if plain::has_mcp(&document) {
        contexts.push(json!({
            "anchor": format!("{base}/mcp"),
            "service-desc": [link(SERVER_CARD_PATH, server_card::MEDIA_TYPE)],
            "service-doc": [link("/docs/send_mcp_message", "text/html")],
        }));
    }
    plain::json(&visit, LINKSET, &json!({"linkset": contexts}))
}

/// The one thing that agents can connect to.
pub async fn ai_catalog(visit: PageRequest) -> Result<Reply, Error> {
    let base = plain::base_url(&visit);
    let surface = visit.context.surface;
    let catalog = json!({
        "specVersion": "1.0",
        "host": {"displayName": surface.title, "documentationUrl": format!("{base}{DOCS_PATH}")},
        "entries": [{
            "identifier": format!("urn:air:{}:fourfold-{}", server_card::host(&base), surface.name),
            "displayName": surface.title,
            "type": server_card::MEDIA_TYPE,
            "url": format!("{base}{SERVER_CARD_PATH}"),
            "description": surface.about,
            "version": surface.version,
        }],
    });
    plain::json(&visit, AI_CATALOG, &catalog)
}
