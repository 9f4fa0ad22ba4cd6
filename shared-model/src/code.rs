//! The table of error codes that all services share. Each service adds its own in its `codes.rs`.

use crate::{error_body::NextAction, etag::Etag, problem::Problem, refusal::Refusal};

// Clients compare names and statuses, so those never change. Sentences may.
#[rustfmt::skip]
crate::code_table! {
    INVALID_REQUEST               = "invalid_request",                 400, Correct,        "The request is malformed; correct it before retrying.";
    INVALID_CURSOR                = "invalid_cursor",                  400, CorrectOne("cursor", "must be the next_cursor of this list"), "The cursor is invalid, expired or belongs to another list. Start again without a cursor.";
    IDEMPOTENCY_KEY_REQUIRED      = "idempotency_key_required",        400, CorrectOne("Idempotency-Key", "must be sent: 1 to 255 visible ASCII characters of your choice"), "This command needs an Idempotency-Key header.";
    UNAUTHORIZED                  = "unauthorized",                    401, Authenticate,   "This operation needs an access token.";
    INVALID_TOKEN                 = "invalid_token",                   401, Authenticate,   "The access token is invalid, expired or revoked.";
    IDENTITY_NOT_CONFIGURED       = "identity_not_configured",         401, ContactSupport, "This service has no issuer of access tokens configured.";
    INSUFFICIENT_SCOPE            = "insufficient_scope",              403, RequestScope,   "The access token lacks the scope that this operation needs.";
    OWNERSHIP_DENIED              = "ownership_denied",                403, ContactSupport, "You may not use this resource in this way.";
    NOT_FOUND                     = "not_found",                       404, CorrectPath,    "There is no such resource.";
    METHOD_NOT_ALLOWED            = "method_not_allowed",              405, UseMethod,      "This URL does not support the method. The Allow header lists those that it supports.";
    IDEMPOTENCY_KEY_REUSED        = "idempotency_key_reused",          409, NewKey,         "The Idempotency-Key belongs to another request.";
    IDEMPOTENCY_IN_PROGRESS       = "idempotency_in_progress",         409, Wait(1),        "The first request with this Idempotency-Key is still running.";
    ETAG_MISMATCH                 = "etag_mismatch",                   412, Refresh(""),    "The resource has changed since you read it.";
    BODY_TOO_LARGE                = "body_too_large",                  413, Correct,        "The request body is too large.";
    UNSUPPORTED_MEDIA_TYPE        = "unsupported_media_type",          415, CorrectOne("Content-Type", "must be application/json"), "The body must be sent as application/json.";
    RANGE_NOT_SATISFIABLE         = "range_not_satisfiable",           416, CorrectOne("Range", "must begin before the end of the content"), "The Range begins after the end. Content-Range gives the full length.";
    INVALID_FIELD                 = "invalid_field",                   422, Correct,        "A field breaks its rule; correct it before retrying.";
    IF_MATCH_REQUIRED             = "if_match_required",               428, CorrectOne("If-Match", "must be sent: the ETag of the version you have seen"), "This command needs an If-Match header with the ETag of the version that you have read.";
    RATE_LIMITED                  = "rate_limited",                    429, Wait(17),       "Too many requests in this minute; wait for Retry-After seconds.";
    TOO_MUCH_AT_ONCE              = "too_much_at_once",                429, Wait(1),        "Too much is in progress at the same time; let some of it end first.";
    INTERNAL_ERROR                = "internal_error",                  500, RetryKeyed(2),  "Something failed in the service. Quote the request id when you report it.";
    TEMPORARILY_UNAVAILABLE       = "temporarily_unavailable",         503, Retry(2),       "The service cannot answer right now. Send the request again: a command with its key is done only once.";
    AUTHORIZATION_SERVER_UNREACHABLE = "authorization_server_unreachable", 503, Wait(5),    "The authorization server cannot be reached to verify this token.";
}

// The same for a resource that does not exist and one that the caller may not see: the difference would reveal it.
pub fn not_found() -> Refusal {
    NOT_FOUND.refusal()
}

/// 400 for one parameter or header.
pub fn invalid_parameter(name: &str, rule: impl Into<String>) -> Refusal {
    Refusal::problems(&INVALID_REQUEST, vec![Problem { at: name.to_owned(), rule: rule.into() }])
}

/// 412. `href` is where to read the current version.
pub fn stale(href: impl Into<String>, current: Etag) -> Refusal {
    ETAG_MISMATCH.refusal().next(NextAction::Refresh { href: href.into(), etag: Some(current.to_string()) })
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = super::ALL.iter().map(|code| code.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), super::ALL.len());
    }
}
