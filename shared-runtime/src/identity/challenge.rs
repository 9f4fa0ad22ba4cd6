//! `WWW-Authenticate` challenges (RFC 6750 §3) that point to the protected-resource metadata (RFC 9728 §5.1).

use shared_model::{NextAction, Refusal, code};

/// Where a service describes itself as a protected resource (RFC 9728 §3).
pub const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";
/// The endpoint for agents: a resource of its own, because MCP clients ask for tokens for its URL.
pub const MCP_PATH: &str = "/mcp";
/// Where it describes itself (RFC 9728 §3.1).
pub const MCP_METADATA_PATH: &str = "/.well-known/oauth-protected-resource/mcp";

const MUST_BE_BEARER: &str = "Authorization must be `Bearer TOKEN`.";

#[derive(Clone, Debug)]
pub struct Challenge {
    resource: String,
    metadata_url: String,
    /// The scope to ask for at first.
    scope: Option<&'static str>,
}

impl Challenge {
    pub fn new(base_url: &str) -> Self {
        Self { resource: base_url.to_owned(), metadata_url: format!("{base_url}{METADATA_PATH}"), scope: None }
    }

    pub fn of_mcp(base_url: &str, scope: Option<&'static str>) -> Self {
        let metadata_url = format!("{base_url}{MCP_METADATA_PATH}");
        Self { resource: format!("{base_url}{MCP_PATH}"), metadata_url, scope }
    }

    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// 401 `unauthorized`: no token.
    pub fn missing_token(&self) -> Refusal {
        self.authenticate(code::UNAUTHORIZED.refusal(), "")
    }

    /// 401 `unauthorized`: another scheme than Bearer.
    pub fn not_bearer(&self) -> Refusal {
        self.missing_token().because(MUST_BE_BEARER)
    }

    /// 401 `invalid_token`: the Bearer scheme, but not exactly one token.
    pub fn malformed_header(&self, is_repeated: bool) -> Refusal {
        self.invalid_token(None).because(if is_repeated { "Authorization must be sent once." } else { MUST_BE_BEARER })
    }

    /// 401 `invalid_token`: malformed, expired, revoked, of another issuer or for another resource. `reason` is a
    /// sentence without its period, for tokens that the issuer signed.
    pub fn invalid_token(&self, reason: Option<&str>) -> Refusal {
        let Some(sentence) = reason else {
            return self.authenticate(code::INVALID_TOKEN.refusal(), "error=\"invalid_token\", ");
        };
        // RFC 6750 §3 allows only these characters in the parameter.
        let is_plain = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\';
        let description = sentence.replace(|c| !is_plain(c), "?");
        let error = format!("error=\"invalid_token\", error_description=\"{description}\", ");
        self.authenticate(code::INVALID_TOKEN.because(format!("{sentence}.")), &error)
    }

    /// 401 `identity_not_configured`: the service has no issuer.
    pub fn not_configured(&self) -> Refusal {
        self.challenged(code::IDENTITY_NOT_CONFIGURED.refusal(), "", self.scope)
    }

    /// 403 `insufficient_scope`: the token lacks this scope.
    pub fn insufficient_scope(&self, scope: &str) -> Refusal {
        let refusal = code::INSUFFICIENT_SCOPE
            .because(format!("The access token lacks the scope {scope}."))
            .next(NextAction::RequestScope { scope: scope.to_owned() });
        self.demand_scope(refusal, scope)
    }

    /// Adds the challenge that asks for this scope.
    pub fn demand_scope(&self, refusal: Refusal, scope: &str) -> Refusal {
        self.challenged(refusal, "error=\"insufficient_scope\", ", Some(scope))
    }

    fn authenticate(&self, refusal: Refusal, error: &str) -> Refusal {
        let next = NextAction::Authenticate { resource_metadata: self.metadata_url.clone() };
        self.challenged(refusal.next(next), error, self.scope)
    }

    fn challenged(&self, refusal: Refusal, error: &str, scope: Option<&str>) -> Refusal {
        let scope = scope.map(|scope| format!("scope=\"{scope}\", ")).unwrap_or_default();
        let metadata = format!("resource_metadata=\"{}\"", self.metadata_url);
        refusal.header("www-authenticate", format!("Bearer {error}{scope}{metadata}"))
    }
}

/// 503 `authorization_server_unreachable`: the token could not be verified.
pub fn issuer_unreachable(after_seconds: u64) -> Refusal {
    code::AUTHORIZATION_SERVER_UNREACHABLE.refusal().next(NextAction::Wait { after_seconds })
}
