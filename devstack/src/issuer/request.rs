//! A request for a sign-in, as its parameters say it.

use super::{
    clients::{CLIENT_ID, Clients},
    fields::Fields,
};
use crate::surfaces::SurfaceName;

/// Where people sign in.
pub const PATH: &str = "/authorize";

/// A request that may be answered by a redirect.
pub struct Asked<'f> {
    /// The service that asks.
    pub surface: SurfaceName,
    /// What the token is to be for.
    pub resource: &'f str,
    /// Where the answer is sent.
    pub redirect_uri: &'f str,
    /// RFC 7636 §4.2, by S256.
    pub code_challenge: &'f str,
    /// What is asked for, separated by blanks.
    pub scope: &'f str,
}

/// Why it is not granted.
pub enum Wrong<'f> {
    /// Nobody may be sent to where it says.
    Untrusted(&'static str),
    /// The client is told (RFC 6749 §4.1.2.1).
    Told {
        /// Where.
        redirect_uri: &'f str,
        /// What.
        error: &'static str,
    },
}

/// The parameters that the page repeats for the choice.
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

/// Reads it.
pub fn asked<'f>(fields: &'f Fields, clients: &'f Clients) -> Result<Asked<'f>, Wrong<'f>> {
    if fields.get("client_id") != Some(CLIENT_ID) {
        return Err(Wrong::Untrusted("client_id must be fourfold-pages"));
    }
    let redirect_uri = fields.get("redirect_uri").unwrap_or_default();
    let Some(own) = clients.redirects(redirect_uri) else {
        return Err(Wrong::Untrusted("redirect_uri must be a local service's /sign-in/callback"));
    };
    let told = |error| Wrong::Told { redirect_uri, error };
    if fields.get("response_type") != Some("code") {
        return Err(told("unsupported_response_type"));
    }
    let code_challenge = fields.get("code_challenge").unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_s256 = fields.get("code_challenge_method") == Some("S256")
        && code_challenge.len() == 43
        && code_challenge.bytes().all(is_plain);
    if !is_s256 {
        return Err(told("invalid_request"));
    }
    // A service asks for tokens for itself.
    let resource = fields.get("resource").unwrap_or(own);
    let surface = clients.surface(resource).filter(|_| resource == own).ok_or_else(|| told("invalid_target"))?;
    let scope = fields.get("scope").unwrap_or_default();
    Ok(Asked { surface, resource, redirect_uri, code_challenge, scope })
}
