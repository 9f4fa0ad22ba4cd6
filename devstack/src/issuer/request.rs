//! A sign-in request, checked (RFC 6749 §4.1.1).

use shared_runtime::identity::challenge::MCP_PATH;

use super::{clients::Clients, fields::Fields, own_clients::OwnClient};
use crate::service_name::ServiceName;

pub const PATH: &str = "/authorize";

/// A valid request: its answer may be a redirect.
pub struct SignInRequest<'f> {
    /// The service that requests the sign-in.
    pub service: ServiceName,
    pub resource: &'f str,
    pub redirect_uri: &'f str,
    /// RFC 7636 §4.2, by S256.
    pub code_challenge: &'f str,
    /// Requested scopes, separated by spaces.
    pub scope: &'f str,
    /// The client of an agent; `None`: the pages of the service.
    pub agent: Option<&'f OwnClient>,
}

/// Why a request is refused.
pub enum RequestError<'f> {
    // An open redirect otherwise: without a known client and redirect URI, the answer must be a page.
    NoRedirect(&'static str),
    /// Reported to the client by a redirect (RFC 6749 §4.1.2.1).
    Redirect {
        redirect_uri: &'f str,
        error: &'static str,
    },
}

/// Parameters that the page sends again together with the choice.
pub const REPEATED: [&str; 8] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "resource",
];

/// Checks a request in the order of RFC 6749 §4.1.2.1: first what decides whether a redirect is allowed.
pub fn sign_in_request<'f>(
    fields: &'f Fields,
    clients: &'f Clients,
    agent: Option<&'f OwnClient>,
) -> Result<SignInRequest<'f>, RequestError<'f>> {
    let redirect_uri = fields.get("redirect_uri").unwrap_or_default();
    let resource = fields.get("resource");
    // A service may only request tokens for itself. The client of an agent names the service that it wants.
    let own = match agent {
        None => {
            let rule = "redirect_uri must be a local service's /sign-in/callback";
            clients.redirects(redirect_uri).ok_or(RequestError::NoRedirect(rule))?
        }
        Some(agent) if agent.redirects(redirect_uri) => {
            resource.map_or("", |resource| resource.strip_suffix(MCP_PATH).unwrap_or(resource))
        }
        Some(_) => return Err(RequestError::NoRedirect("redirect_uri must be one that the client has registered")),
    };
    let redirect = |error| RequestError::Redirect { redirect_uri, error };
    if fields.get("response_type") != Some("code") {
        return Err(redirect("unsupported_response_type"));
    }
    let code_challenge = fields.get("code_challenge").unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_s256 = fields.get("code_challenge_method") == Some("S256")
        && code_challenge.len() == 43
        && code_challenge.bytes().all(is_plain);
    if !is_s256 {
        return Err(redirect("invalid_request"));
    }
    let resource = resource.unwrap_or(own);
    let is_own = resource.strip_suffix(MCP_PATH).unwrap_or(resource) == own;
    let service = clients.service(own).filter(|_| is_own).ok_or_else(|| redirect("invalid_target"))?;
    let scope = fields.get("scope").unwrap_or_default();
    Ok(SignInRequest { service, resource, redirect_uri, code_challenge, scope, agent })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{issuer::clients::CLIENT_ID, stack_file::ServiceEntry};

    fn asked(resource: &str) -> Option<String> {
        let entry = ServiceEntry {
            base_url: "http://127.0.0.1:8082".to_owned(),
            tls_base_url: "https://127.0.0.1:8482".to_owned(),
            ops_url: String::new(),
            database_url: String::new(),
        };
        let clients = Clients::new(&BTreeMap::from([(ServiceName::Cloud, entry)]));
        let challenge = "a".repeat(43);
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", CLIENT_ID)
            .append_pair("redirect_uri", "http://127.0.0.1:8082/sign-in/callback")
            .append_pair("response_type", "code")
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", resource)
            .finish();
        let fields = Fields::read(query.as_bytes()).ok()?;
        sign_in_request(&fields, &clients, None).ok().map(|request| request.resource.to_owned())
    }

    #[test]
    fn a_service_asks_for_itself_and_for_its_endpoint_for_agents() {
        for own in ["http://127.0.0.1:8082", "http://127.0.0.1:8082/mcp"] {
            assert_eq!(asked(own).as_deref(), Some(own));
        }
        for other in ["http://127.0.0.1:8083", "https://127.0.0.1:8482/mcp", "http://127.0.0.1:8082/mcp/mcp", "/mcp"] {
            assert_eq!(asked(other), None, "{other}");
        }
    }
}
