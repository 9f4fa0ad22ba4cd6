//! The error body of all services, and the closed set of next actions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{problem::Problem, timestamp::Timestamp};

/// The body of every error answer: `{"error": {…}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

/// What went wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorDetail {
    /// One of a closed set of codes. Codes never change.
    pub code: String,
    /// The rule, the value and the limit, for people. Do not parse it.
    pub message: String,
    /// Identifies the request in the service's log.
    #[schema(pattern = "^req_[0-9a-f]{32}$")]
    pub request_id: String,
    /// Whether the same request may succeed later, unchanged.
    pub retryable: bool,
    pub next_action: NextAction,
}

/// What a program should do next: a closed set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum NextAction {
    /// Wait, then send the same request again.
    Wait { after_seconds: u64 },
    /// Wait, then read `href`.
    Poll { href: String, after_seconds: u64 },
    /// Wait, then send the same command with the same `Idempotency-Key`. It will not happen twice.
    RetrySameKey { after_seconds: u64 },
    /// Use another `Idempotency-Key`: this one belongs to another request.
    NewKey {
        /// The id of the operation of that request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        operation: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_used_at: Option<Timestamp>,
        /// Lists what happened under the key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        href: Option<String>,
    },
    /// Get a token; the metadata at this URL says where (RFC 9728).
    Authenticate { resource_metadata: String },
    /// Get a token with this scope.
    RequestScope { scope: String },
    /// Correct the request. All problems are listed.
    CorrectRequest { problems: Vec<Problem> },
    /// Use one of these methods; the URL takes no other.
    UseMethod {
        methods: Vec<String>,
        /// The operations that do what the method usually means.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        problems: Vec<Problem>,
    },
    /// No operation has this URL. Find the right one in the OpenAPI document at `href`.
    ReadDocument { href: String },
    /// Read `href` again, then decide again.
    Refresh {
        href: String,
        /// Its current entity tag, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        etag: Option<String>,
    },
    /// Send a command to `href` with the current tag in `If-Match`. It makes the same edits for the current version.
    Rebase {
        href: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        etag: Option<String>,
    },
    /// Send this chunk to `href`: it is the next one.
    SendChunk {
        /// The index of the chunk, from 0.
        index: i64,
        href: String,
    },
    /// It has happened already. The receipt is at `href`.
    UseReceipt {
        href: String,
        /// The receipt itself (c2sp.org/tlog-proof), if it fits here as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<String>,
    },
    /// Ask for a review: send a command to `href`. After the approval, repeat this command with another key.
    RequestReview { href: String },
    /// Somebody else, whose token has this scope, has to do this.
    OtherActor { scope: String },
    /// A person must look at this. Quote the request id.
    ContactSupport,
}

impl NextAction {
    pub fn after_seconds(&self) -> Option<u64> {
        match self {
            Self::Wait { after_seconds } | Self::Poll { after_seconds, .. } | Self::RetrySameKey { after_seconds } => {
                Some(*after_seconds)
            }
            _ => None,
        }
    }

    /// True for the actions that repeat a request; `retryable` in the body.
    pub fn is_retry(&self) -> bool {
        matches!(self, Self::Wait { .. } | Self::Poll { .. } | Self::RetrySameKey { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_repeated_only_after_a_wait() {
        let (href, after_seconds) = (String::new(), 5);
        for (action, seconds) in [
            (NextAction::Wait { after_seconds }, Some(5)),
            (NextAction::Poll { href: href.clone(), after_seconds }, Some(5)),
            (NextAction::RetrySameKey { after_seconds }, Some(5)),
            (NextAction::Refresh { href, etag: None }, None),
            (NextAction::ContactSupport, None),
        ] {
            assert_eq!((action.after_seconds(), action.is_retry()), (seconds, seconds.is_some()), "{action:?}");
        }
    }
}
