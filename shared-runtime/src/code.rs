//! The closed table of refusals that every service shares; each service adds its own in its `codes.rs`.

use crate::Refusal;

/// One way to be refused: a name that never changes, its status, and the sentence for a person.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `error.code` on the wire, stable for ever.
    pub name: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// `error.message` unless the refusal says something more exact.
    pub sentence: &'static str,
}

impl Code {
    /// A row of a code table.
    pub const fn new(name: &'static str, status: u16, sentence: &'static str) -> Self {
        Self { name, status, sentence }
    }

    /// A refusal with this code and its sentence.
    pub fn refusal(&'static self) -> Refusal {
        Refusal::new(self)
    }

    /// A refusal with this code and a more exact message.
    pub fn because(&'static self, message: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
        Refusal::new(self).because(message)
    }
}

/// A table of codes: a constant for each row, and `ALL` of them.
#[macro_export]
macro_rules! code_table {
    ($($name:ident = $code:literal, $status:literal, $sentence:literal;)+) => {
        $(
            #[doc = concat!($status, ": ", $sentence)]
            pub const $name: $crate::Code = $crate::Code::new($code, $status, $sentence);
        )+
        /// Every code of this table.
        pub const ALL: &[&$crate::Code] = &[$(&$name),+];
    };
}

#[rustfmt::skip]
code_table! {
    INVALID_REQUEST               = "invalid_request",                 400, "The request is malformed; correct it before retrying.";
    INVALID_CURSOR                = "invalid_cursor",                  400, "The cursor is altered, expired or of another list; start again without one.";
    IDEMPOTENCY_KEY_REQUIRED      = "idempotency_key_required",        400, "This command needs an Idempotency-Key header.";
    UNAUTHORIZED                  = "unauthorized",                    401, "This operation needs an access token.";
    INVALID_TOKEN                 = "invalid_token",                   401, "The access token is invalid, expired or revoked.";
    IDENTITY_NOT_CONFIGURED       = "identity_not_configured",         401, "This service has no issuer of access tokens configured.";
    INSUFFICIENT_SCOPE            = "insufficient_scope",              403, "The access token lacks the scope that this operation needs.";
    OWNERSHIP_DENIED              = "ownership_denied",                403, "The resource is not yours to use in this way.";
    NOT_FOUND                     = "not_found",                       404, "There is no such resource.";
    METHOD_NOT_ALLOWED            = "method_not_allowed",              405, "The resource has no such method; the Allow header lists those it has.";
    IDEMPOTENCY_KEY_REUSED        = "idempotency_key_reused",          409, "The Idempotency-Key belongs to another request.";
    IDEMPOTENCY_IN_PROGRESS       = "idempotency_in_progress",         409, "The first request with this Idempotency-Key is still running.";
    ETAG_MISMATCH                 = "etag_mismatch",                   412, "The resource has changed since you read it.";
    BODY_TOO_LARGE                = "body_too_large",                  413, "The request body is too large.";
    UNSUPPORTED_MEDIA_TYPE        = "unsupported_media_type",          415, "The body must be sent as application/json.";
    RANGE_NOT_SATISFIABLE         = "range_not_satisfiable",           416, "The Range begins after the end; Content-Range tells how long the whole is.";
    INVALID_FIELD                 = "invalid_field",                   422, "A field breaks its rule; correct it before retrying.";
    IF_MATCH_REQUIRED             = "if_match_required",               428, "This command needs an If-Match header with the entity tag you have seen.";
    RATE_LIMITED                  = "rate_limited",                    429, "Too many requests in this minute; wait for Retry-After seconds.";
    INTERNAL_ERROR                = "internal_error",                  500, "Something broke on our side; the request id leads us to it.";
    TEMPORARILY_UNAVAILABLE       = "temporarily_unavailable",         503, "The service cannot do this right now; nothing was done.";
    AUTHORIZATION_SERVER_UNREACHABLE = "authorization_server_unreachable", 503, "The key of this token cannot be looked up at the authorization server right now.";
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
