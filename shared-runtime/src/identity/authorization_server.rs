//! The issuer as an authorization server. It has metadata (RFC 8414), and exchanges an authorization code for an access
//! token (RFC 6749 §4.1.3).

use reqwest::StatusCode;
use serde::Deserialize;
use shared_model::Failure;
use url::{Host, Url, form_urlencoded};

use super::issuer_client;
pub use super::issuer_client::Unreachable;

// Inserted between host and path of the issuer (RFC 8414 §3.1).
const METADATA_PATH: &str = "/.well-known/oauth-authorization-server";
// Appended to the path (OpenID Connect Discovery 1.0 §4), for servers that only do OpenID Connect.
const OPENID_PATH: &str = "/.well-known/openid-configuration";
const MAX_LOGGED: usize = 200;

#[derive(Clone, Debug, Deserialize)]
pub struct AuthorizationServer {
    pub issuer: String,
    pub authorization_endpoint: String,
    token_endpoint: String,
    /// Whether it adds `iss` to its redirects (RFC 9207).
    #[serde(default, rename = "authorization_response_iss_parameter_supported")]
    pub sends_iss: bool,
}

/// An authorization code and what must be sent with it.
pub struct Exchange<'e> {
    /// A public client: it has no secret.
    pub client_id: &'e str,
    pub redirect_uri: &'e str,
    pub code: &'e str,
    /// The code verifier (RFC 7636 §4.5).
    pub verifier: &'e str,
    /// The resource that the token is for (RFC 8707).
    pub resource: &'e str,
}

#[derive(Debug)]
pub enum CodeExchangeError {
    /// The issuer refused the code, with this error code.
    Refused(String),
    /// The issuer could not be reached, or its answer was not understood.
    Unreachable(Unreachable),
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    token_type: String,
}

#[derive(Deserialize)]
struct ErrorResponse {
    error: String,
}

impl AuthorizationServer {
    /// `internal` is the origin at which the service reaches the issuer, if it is not that of `issuer`.
    pub async fn discover(issuer: &str, internal: Option<&str>) -> Result<Self, Unreachable> {
        let [first, other] = metadata_urls(issuer)?.map(|url| reached(&url, issuer, internal));
        let mut found = match Self::fetch(&first, issuer).await {
            Ok(found) => found,
            // Tried even if something else answers at the first URL: some servers have a page for every path.
            Err(of_first) => Self::fetch(&other, issuer).await.map_err(|of_other| {
                let at = |path: &str, cause: Unreachable| Failure::unavailable(path).from_source(cause);
                format!("{}; {}", at(METADATA_PATH, of_first), at(OPENID_PATH, of_other))
            })?,
        };
        check_endpoint(&found.authorization_endpoint)?;
        found.token_endpoint = reached(&found.token_endpoint, issuer, internal);
        // Some issuers name the address that they were asked at. The setting was checked at the start.
        if internal != origin(&found.token_endpoint).as_deref() {
            check_endpoint(&found.token_endpoint)?;
        }
        Ok(found)
    }

    async fn fetch(url: &str, issuer: &str) -> Result<Self, Unreachable> {
        let found: Self = serde_json::from_slice(&issuer_client::fetch(url).await?)?;
        // The name stays the public one, wherever the metadata was read.
        if found.issuer == issuer { Ok(found) } else { Err("the metadata is another issuer's".into()) }
    }

    pub async fn exchange(&self, exchange: &Exchange<'_>) -> Result<String, CodeExchangeError> {
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("client_id", exchange.client_id)
            .append_pair("redirect_uri", exchange.redirect_uri)
            .append_pair("code", exchange.code)
            .append_pair("code_verifier", exchange.verifier)
            .append_pair("resource", exchange.resource)
            .finish();
        let (status, body) =
            issuer_client::send_form(&self.token_endpoint, form).await.map_err(CodeExchangeError::Unreachable)?;
        match status {
            StatusCode::OK => {
                let response: TokenResponse = serde_json::from_slice(&body)
                    // serde's error would quote the answer, which may hold a token.
                    .map_err(|_| {
                        CodeExchangeError::Unreachable("the token endpoint's answer is not understood".into())
                    })?;
                if !response.token_type.eq_ignore_ascii_case("bearer") {
                    return Err(CodeExchangeError::Unreachable("the token is of another type than Bearer".into()));
                }
                Ok(response.access_token)
            }
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED => {
                let error =
                    serde_json::from_slice(&body).map_or_else(|_| String::new(), |body: ErrorResponse| body.error);
                Err(CodeExchangeError::Refused(loggable(&error)))
            }
            other => Err(CodeExchangeError::Unreachable(format!("the token endpoint answered {other}").into())),
        }
    }
}

/// An error code or an issuer's name for the log: the characters that RFC 6749 §5.2 allows, without spaces.
pub fn loggable(text: &str) -> String {
    let is_plain = |c: &char| matches!(c, '!'..='~') && !matches!(c, '"' | '\\');
    text.chars().filter(is_plain).take(MAX_LOGGED).collect()
}

/// The URL of the issuer with the internal origin; any other URL as it is.
fn reached(url: &str, issuer: &str, internal: Option<&str>) -> String {
    let rest = origin(issuer).filter(|own| origin(url).as_ref() == Some(own)).and_then(|own| url.strip_prefix(&own));
    match (internal, rest) {
        (Some(internal), Some(rest)) => format!("{internal}{rest}"),
        _ => url.to_owned(),
    }
}

fn origin(url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| url.origin().ascii_serialization())
}

fn metadata_urls(issuer: &str) -> Result<[String; 2], Unreachable> {
    check_endpoint(issuer)?;
    let mut inserted = Url::parse(issuer)?;
    let path = inserted.path().trim_end_matches('/').to_owned();
    inserted.set_path(&format!("{METADATA_PATH}{path}"));
    Ok([inserted.into(), format!("{}{OPENID_PATH}", issuer.trim_end_matches('/'))])
}

// Accepts https, and http for this machine (development); never a fragment.
fn check_endpoint(text: &str) -> Result<(), Unreachable> {
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
    fn only_urls_of_the_issuer_are_reached_internally() {
        let issuer = "https://id.example/tenant";
        let reach = |url| reached(url, issuer, Some("https://id.internal:8443"));
        assert_eq!(reach("https://id.example/tenant/token"), "https://id.internal:8443/tenant/token");
        for other in ["https://id.example.evil/token", "https://login.example/token", "http://id.example/token"] {
            assert_eq!(reach(other), other);
        }
        assert_eq!(reached("https://id.example/token", issuer, None), "https://id.example/token");
    }

    #[test]
    fn metadata_is_looked_for_where_the_standards_have_it() {
        let found = metadata_urls("https://id.example/tenant").expect("a URL");
        assert_eq!(found[0], "https://id.example/.well-known/oauth-authorization-server/tenant");
        assert_eq!(found[1], "https://id.example/tenant/.well-known/openid-configuration");
        let found = metadata_urls("http://127.0.0.1:8090").expect("a URL");
        assert_eq!(found[0], "http://127.0.0.1:8090/.well-known/oauth-authorization-server");
        assert!(metadata_urls("http://id.example").is_err(), "in clear text");
        assert!(check_endpoint("https://id.example/token#x").is_err(), "with a fragment");
        assert!(check_endpoint("javascript:alert(1)").is_err());
    }
}
