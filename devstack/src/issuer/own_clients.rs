//! Clients of agents, which nobody has entered here. They register (RFC 7591), or their id is the URL of their metadata
//! (OAuth Client ID Metadata Documents). Both only say where answers may go.

use std::time::Duration;

use actix_web::{HttpResponse, http::StatusCode, http::header, web};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use reqwest::redirect::Policy;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use url::Url;

pub const REGISTRATION_PATH: &str = "/register";

const PREFIX: &str = "client-";
const REDIRECT_URIS: usize = 10;
const URI_BYTES: usize = 500;
const NAME_BYTES: usize = 100;
const BODY_BYTES: usize = 16_384;
// Somebody waits for the page.
const FETCH: Duration = Duration::from_secs(3);

/// What a client says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnClient {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(default = "unnamed", deserialize_with = "named")]
    client_name: String,
    redirect_uris: Vec<String>,
}

fn unnamed() -> String {
    "An agent".to_owned()
}

/// A token needs a name that people can see.
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(if name.trim().is_empty() { unnamed() } else { name })
}

pub fn routes(app: &mut web::ServiceConfig) {
    let body = web::PayloadConfig::new(BODY_BYTES);
    app.service(web::resource(REGISTRATION_PATH).app_data(body).route(web::post().to(register)));
}

async fn register(body: web::Bytes) -> HttpResponse {
    let refused =
        |error: &str, why: &str| HttpResponse::BadRequest().json(json!({"error": error, "error_description": why}));
    let Ok(client) = serde_json::from_slice::<OwnClient>(&body) else {
        return refused("invalid_client_metadata", "redirect_uris must be a list of strings");
    };
    if let Err(why) = client.check() {
        return refused("invalid_redirect_uri", why);
    }
    let client = OwnClient { client_id: None, ..client };
    HttpResponse::build(StatusCode::CREATED).insert_header((header::CACHE_CONTROL, "no-store")).json(json!({
        "client_id": client.id(),
        "client_name": client.client_name,
        "redirect_uris": client.redirect_uris,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code"],
        "response_types": ["code"],
    }))
}

impl OwnClient {
    /// The client with this id. The error is what the person at the page reads.
    pub async fn find(id: &str) -> Result<Self, &'static str> {
        let client = if let Some(encoded) = id.strip_prefix(PREFIX) {
            // The id itself says what was registered: nothing is kept, and a new start forgets nobody.
            let decoded = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok();
            decoded.and_then(|json| serde_json::from_slice(&json).ok()).ok_or("client_id is not one of this issuer")?
        } else {
            let url = Url::parse(id).ok().filter(|url| url.scheme() == "https" || is_loopback(url));
            let client =
                fetched(url.ok_or("client_id is unknown")?).await.ok_or("the metadata at client_id cannot be read")?;
            if client.client_id.as_deref() != Some(id) {
                return Err("the metadata at client_id is of another client");
            }
            client
        };
        client.check().map(|()| client)
    }

    pub fn name(&self) -> &str {
        &self.client_name
    }

    /// Whether answers may go there. Programs on this machine choose their port when they start (RFC 8252 §7.3).
    pub fn redirects(&self, redirect_uri: &str) -> bool {
        let without_port = |text: &str| {
            let mut url = Url::parse(text).ok().filter(is_loopback)?;
            url.set_port(None).ok()?;
            Some(url)
        };
        let is_same = |own: &String| {
            own == redirect_uri || without_port(own).is_some_and(|own| Some(own) == without_port(redirect_uri))
        };
        self.redirect_uris.iter().any(is_same)
    }

    fn id(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(json))
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.client_name.len() > NAME_BYTES || self.client_name.chars().any(char::is_control) {
            return Err("client_name is too long");
        }
        if self.redirect_uris.is_empty() || self.redirect_uris.len() > REDIRECT_URIS {
            return Err("redirect_uris must be 1 to 10");
        }
        let is_allowed = |uri: &String| {
            // A script or a document in place of a page would run as the issuer.
            let url = Url::parse(uri).ok().filter(|url| uri.len() <= URI_BYTES && url.fragment().is_none());
            url.is_some_and(|url| match url.scheme() {
                "http" => is_loopback(&url),
                "javascript" | "data" | "file" | "blob" | "about" => false,
                _ => true,
            })
        };
        if self.redirect_uris.iter().all(is_allowed) {
            Ok(())
        } else {
            Err("redirect_uris must be https, of this machine, or of a program")
        }
    }
}

fn is_loopback(url: &Url) -> bool {
    url.scheme() == "http" && matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"))
}

async fn fetched(url: Url) -> Option<OwnClient> {
    let client = reqwest::Client::builder().no_proxy().timeout(FETCH).redirect(Policy::none()).build().ok()?;
    let answer = client.get(url).header("accept", "application/json").send().await.ok()?;
    let mut answer = answer.error_for_status().ok()?;
    let mut body = Vec::new();
    // Not all at once: nobody knows how long it is.
    while let Some(chunk) = answer.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > BODY_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

#[cfg(test)]
mod tests {
    use actix_web::rt::System;

    use super::*;

    fn client(uris: &[&str]) -> OwnClient {
        let redirect_uris = uris.iter().map(|uri| (*uri).to_owned()).collect();
        OwnClient { client_id: None, client_name: "Helper".to_owned(), redirect_uris }
    }

    fn found(id: &str) -> Result<OwnClient, &'static str> {
        System::new().block_on(OwnClient::find(id))
    }

    #[test]
    fn an_id_says_what_was_registered() {
        let own = client(&["http://127.0.0.1:3000/callback", "cursor://oauth/callback"]);
        assert_eq!(found(&own.id()), Ok(own.clone()));
        for (uri, is_own) in [
            ("http://127.0.0.1:3000/callback", true),
            ("http://127.0.0.1:49152/callback", true),
            ("http://127.0.0.1:3000/other", false),
            ("http://127.0.0.1.evil.example:3000/callback", false),
            ("https://127.0.0.1:3000/callback", false),
            ("cursor://oauth/callback", true),
        ] {
            assert_eq!(own.redirects(uri), is_own, "{uri}");
        }
        for id in ["client-", "client-e30", "fourfold", "http://evil.example/client.json", "file:///etc/passwd"] {
            assert!(found(id).is_err(), "{id}");
        }
    }

    #[test]
    fn a_client_without_a_name_gets_one() {
        for name in ["", r#""client_name": "","#, r#""client_name": " ","#] {
            let json = format!(r#"{{{name} "redirect_uris": ["https://a.example/callback"]}}"#);
            let client: OwnClient = serde_json::from_str(&json).expect("a client");
            assert_eq!(client.name(), "An agent", "{name}");
        }
    }

    #[test]
    fn answers_go_to_no_script_and_to_no_foreign_plain_page() {
        let bad = ["javascript:alert(1)", "data:text/html,x", "http://evil.example/", "https://a.example/#x", "x"];
        assert!(bad.iter().all(|uri| client(&[uri]).check().is_err()));
        assert!(client(&[]).check().is_err() && client(&["https://a.example/callback"]).check().is_ok());
    }
}
