//! A sign-in request, checked (RFC 6749 §4.1.1).

use super::{
    clients::{CLIENT_ID, Clients},
    fields::Fields,
};
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
pub fn sign_in_request<'f>(fields: &'f Fields, clients: &'f Clients) -> Result<SignInRequest<'f>, RequestError<'f>> {
    if fields.get("client_id") != Some(CLIENT_ID) {
        return Err(RequestError::NoRedirect("client_id must be fourfold-pages"));
    }
    let redirect_uri = fields.get("redirect_uri").unwrap_or_default();
    let Some(own) = clients.redirects(redirect_uri) else {
        return Err(RequestError::NoRedirect("redirect_uri must be a local service's /sign-in/callback"));
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
    // A service may only request tokens for itself.
    let resource = fields.get("resource").unwrap_or(own);
    let service = clients.service(resource).filter(|_| resource == own).ok_or_else(|| redirect("invalid_target"))?;
    let scope = fields.get("scope").unwrap_or_default();
    Ok(SignInRequest { service, resource, redirect_uri, code_challenge, scope })
}
