//! The issuer as an authorization server: its metadata (RFC 8414), and an access token for an authorization code (RFC 6749 §4.1.3).

use reqwest::StatusCode;
use serde::Deserialize;
use url::{Host, Url, form_urlencoded};

use super::asking::{self, Unasked};

/// Where the metadata is, between the issuer's host and path (RFC 8414 §3.1).
const METADATA: &str = "/.well-known/oauth-authorization-server";
/// Where it is else: after the path (OpenID Connect Discovery 1.0 §4).
const OPENID: &str = "/.well-known/openid-configuration";

/// What a sign-in needs of an authorization server's metadata.
#[derive(Clone, Debug, Deserialize)]
pub struct AuthorizationServer {
    /// Its identifier.
    pub issuer: String,
    /// Where people are sent.
    pub authorization_endpoint: String,
    token_endpoint: String,
    /// Whether what it sends people back with names it (RFC 9207).
    #[serde(default, rename = "authorization_response_iss_parameter_supported")]
    pub names_itself: bool,
}

/// An authorization code, with all that the token endpoint wants beside it.
pub struct Exchange<'e> {
    /// The client's id; it has no secret.
    pub client_id: &'e str,
    /// Where the code was sent to.
    pub redirect_uri: &'e str,
    /// The code.
    pub code: &'e str,
    /// What the code challenge was made of (RFC 7636 §4.5).
    pub verifier: &'e str,
    /// What the token is for (RFC 8707).
    pub resource: &'e str,
}

/// Why there is no access token.
#[derive(Debug)]
pub enum NoToken {
    /// The issuer refuses the code, with this error code.
    Refused(String),
    /// The issuer cannot be asked, or answers with something else.
    Unasked(Unasked),
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    token_type: String,
}

#[derive(Deserialize)]
struct TokenError {
    error: String,
}

impl AuthorizationServer {
    /// The metadata of the issuer with this identifier.
    pub async fn discover(issuer: &str) -> Result<Self, Unasked> {
        let [first, other] = places(issuer)?;
        let document = match asking::fetch(&first).await {
            Ok(document) => document,
            Err(unasked) => asking::fetch(&other).await.map_err(|_| unasked)?,
        };
        let found: Self = serde_json::from_slice(&document)?;
        if found.issuer != issuer {
            return Err("the metadata is another issuer's".into());
        }
        check_endpoint(&found.authorization_endpoint)?;
        check_endpoint(&found.token_endpoint)?;
        Ok(found)
    }

    /// An access token for a code.
    pub async fn exchange(&self, exchange: &Exchange<'_>) -> Result<String, NoToken> {
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("client_id", exchange.client_id)
            .append_pair("redirect_uri", exchange.redirect_uri)
            .append_pair("code", exchange.code)
            .append_pair("code_verifier", exchange.verifier)
            .append_pair("resource", exchange.resource)
            .finish();
        let (status, body) = asking::send_form(&self.token_endpoint, form).await.map_err(NoToken::Unasked)?;
        match status {
            StatusCode::OK => {
                let response: TokenResponse = serde_json::from_slice(&body)
                    // The error of serde would quote what may be a token.
                    .map_err(|_| NoToken::Unasked("the token endpoint's answer is not understood".into()))?;
                if !response.token_type.eq_ignore_ascii_case("bearer") {
                    return Err(NoToken::Unasked("the token is of another type than Bearer".into()));
                }
                Ok(response.access_token)
            }
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED => {
                let told = serde_json::from_slice(&body).map_or_else(|_| String::new(), |told: TokenError| told.error);
                let is_plain = |c: &char| matches!(c, '!'..='~') && !matches!(c, '"' | '\\');
                Err(NoToken::Refused(told.chars().filter(is_plain).take(64).collect()))
            }
            other => Err(NoToken::Unasked(format!("the token endpoint answered {other}").into())),
        }
    }
}

fn places(issuer: &str) -> Result<[String; 2], Unasked> {
    check_endpoint(issuer)?;
    let mut inserted = Url::parse(issuer)?;
    let path = inserted.path().trim_end_matches('/').to_owned();
    inserted.set_path(&format!("{METADATA}{path}"));
    Ok([inserted.into(), format!("{}{OPENID}", issuer.trim_end_matches('/'))])
}

/// An https URL, or an http URL of this very machine, without a fragment.
fn check_endpoint(text: &str) -> Result<(), Unasked> {
    let url = Url::parse(text)?;
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_safe = url.scheme() == "https" || url.scheme() == "http" && is_loopback;
    if is_safe && url.fragment().is_none() {
        Ok(())
    } else {
        Err("an endpoint of the issuer is not an https URL".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_where_the_standards_have_it() {
        let found = places("https://id.example/tenant").expect("a URL");
        assert_eq!(found[0], "https://id.example/.well-known/oauth-authorization-server/tenant");
        assert_eq!(found[1], "https://id.example/tenant/.well-known/openid-configuration");
        let found = places("http://127.0.0.1:8090").expect("a URL");
        assert_eq!(found[0], "http://127.0.0.1:8090/.well-known/oauth-authorization-server");
        assert!(places("http://id.example").is_err(), "in clear text");
        assert!(check_endpoint("https://id.example/token#x").is_err(), "with a fragment");
        assert!(check_endpoint("javascript:alert(1)").is_err());
    }
}
