//! `WWW-Authenticate` challenges (RFC 6750 §3) that lead to the protected-resource metadata (RFC 9728 §5.1).

use shared_model::{NextAction, Refusal, code};

use crate::context::Context;

/// Where a service describes itself as a protected resource (RFC 9728 §3).
pub const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// The header's value; `error` is the RFC 6750 error code and the scope that is asked for.
pub fn header(context: &Context, error: Option<(&str, &str)>) -> String {
    let metadata = context.href(METADATA_PATH);
    match error {
        None => format!("Bearer resource_metadata=\"{metadata}\""),
        Some((error, "")) => format!("Bearer error=\"{error}\", resource_metadata=\"{metadata}\""),
        Some((error, scope)) => {
            format!("Bearer error=\"{error}\", scope=\"{scope}\", resource_metadata=\"{metadata}\"")
        }
    }
}

/// 401 `unauthorized`: there is no token.
pub fn missing_token(context: &Context) -> Refusal {
    challenged(context, code::UNAUTHORIZED.refusal(), None)
}

/// 401 `invalid_token`: malformed, expired, revoked, of another issuer or for another resource. Which, is not told.
pub fn invalid_token(context: &Context) -> Refusal {
    challenged(context, code::INVALID_TOKEN.refusal(), Some(("invalid_token", "")))
}

/// 401 `identity_not_configured`: nobody issues tokens for this service.
pub fn not_configured(context: &Context) -> Refusal {
    code::IDENTITY_NOT_CONFIGURED
        .refusal()
        .next(NextAction::ContactSupport)
        .header("www-authenticate", header(context, None))
}

/// 503 `authorization_server_unreachable`: whether the token is good cannot be told right now.
pub fn cannot_tell(after_seconds: u64) -> Refusal {
    code::AUTHORIZATION_SERVER_UNREACHABLE
        .refusal()
        .next(NextAction::Wait { after_seconds })
        .header("retry-after", after_seconds.to_string())
}

fn challenged(context: &Context, refusal: Refusal, error: Option<(&str, &str)>) -> Refusal {
    refusal
        .next(NextAction::Authenticate { resource_metadata: context.href(METADATA_PATH) })
        .header("www-authenticate", header(context, error))
}
