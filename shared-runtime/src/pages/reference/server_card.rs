//! `/mcp/server-card`: how an agent connects (SEP-2127). It names no tools: those depend on the token, and are listed by the endpoint.

use serde_json::json;
use shared_model::Error;

use super::{places::DOCS_PATH, plain};
use crate::{http::reply::Reply, pages::request::PageRequest};

/// The media type of server cards.
pub const MEDIA_TYPE: &str = "application/mcp-server-card+json";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/// Answers with the card.
pub async fn show(visit: PageRequest) -> Result<Reply, Error> {
    let base = plain::base_url(&visit);
    let surface = visit.context.surface;
    let card = json!({
        "$schema": SCHEMA,
        "name": format!("{}/fourfold-{}", reversed(&host(&base)), surface.name),
        "version": surface.version,
        "title": surface.title,
        // A card's description has 100 characters at most.
        "description": format!("Tools over the operations of {}, with their scopes and rules.", surface.title),
        "websiteUrl": format!("{base}{DOCS_PATH}"),
        "remotes": [{"type": "streamable-http", "url": format!("{base}/mcp")}],
    });
    plain::json(&visit, MEDIA_TYPE, &card)
}

/// The host of the service's URL, which names who publishes it.
pub fn host(base: &str) -> String {
    let url = url::Url::parse(base).ok();
    let host = url.as_ref().and_then(url::Url::host_str).unwrap_or("localhost");
    // An IPv6 address has characters that neither a URN's part nor a card's name may have.
    if host.starts_with('[') { "localhost".to_owned() } else { host.to_owned() }
}

/// A domain with its top level first; an address as it is.
fn reversed(host: &str) -> String {
    if host.parse::<std::net::IpAddr>().is_ok() {
        return host.to_owned();
    }
    host.rsplit('.').collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_reversed_and_addresses_are_not() {
        let name = |base: &str| reversed(&host(base));
        assert_eq!(name("https://cloud.example.com:8443"), "com.example.cloud");
        assert_eq!(name("http://127.0.0.1:8082"), "127.0.0.1");
        assert_eq!(name("http://[::1]:8082"), "localhost");
    }
}
