//! The error body of all four services (spec: Locker error body) and its closed set of next actions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;

/// `{"error": {…}}`: the whole body of every error answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorBody {
    /// The only member.
    pub error: ErrorDetail,
}

/// What went wrong and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorDetail {
    /// One of a closed set, stable for ever (docs/api.md).
    pub code: String,
    /// The rule, the value and the limit, in words.
    pub message: String,
    /// Correlates the request with the service's log.
    #[schema(pattern = "^req_[0-9a-f]{32}$")]
    pub request_id: String,
    /// Whether the same request may succeed later, unchanged.
    pub retryable: bool,
    /// What a program should do next.
    pub next_action: NextAction,
}

/// What a program should do next: a closed set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum NextAction {
    /// Send the same request after this many seconds.
    Wait {
        /// Seconds to wait.
        after_seconds: u64,
    },
    /// Read `href` after this many seconds.
    Poll {
        /// Where the outcome will be.
        href: String,
        /// Seconds to wait.
        after_seconds: u64,
    },
    /// Send the same command with the same `Idempotency-Key` after this many seconds; it will not happen twice.
    RetrySameKey {
        /// Seconds to wait.
        after_seconds: u64,
    },
    /// Choose another `Idempotency-Key`: this one belongs to another request.
    NewKey,
    /// Obtain a token; the metadata says where (RFC 9728).
    Authenticate {
        /// The protected-resource metadata.
        resource_metadata: String,
    },
    /// Obtain a token with this scope.
    RequestScope {
        /// The scope that is missing.
        scope: String,
    },
    /// Correct the request; all problems are listed.
    CorrectRequest {
        /// What to correct.
        problems: Vec<Problem>,
    },
    /// Send the request with one of these methods: the URL takes no other.
    UseMethod {
        /// The methods that the URL takes.
        methods: Vec<String>,
    },
    /// No operation has this URL: find the right one in the OpenAPI document.
    ReadDocument {
        /// The OpenAPI document.
        href: String,
    },
    /// Read `href` again, then decide anew.
    Refresh {
        /// What has changed.
        href: String,
        /// Its current entity tag, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        etag: Option<String>,
    },
    /// Send a command to `href` with `If-Match` of the current tag: it makes the same edits anew for what is there now.
    Rebase {
        /// The command.
        href: String,
        /// The current entity tag.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        etag: Option<String>,
    },
    /// Send this chunk to `href`: it is the one that comes next.
    SendChunk {
        /// Its index, from 0.
        index: i64,
        /// Where it is sent.
        href: String,
    },
    /// It has happened already; the receipt is at `href`.
    UseReceipt {
        /// Where the receipt is.
        href: String,
        /// The receipt itself (c2sp.org/tlog-proof), where it is text that fits here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<String>,
    },
    /// A person must look at this; quote the request id.
    ContactSupport,
}

impl NextAction {
    /// Seconds to wait, for `Retry-After`.
    pub fn after_seconds(&self) -> Option<u64> {
        match self {
            Self::Wait { after_seconds } | Self::Poll { after_seconds, .. } | Self::RetrySameKey { after_seconds } => {
                Some(*after_seconds)
            }
            _ => None,
        }
    }

    /// Only these promise that the same request may succeed later.
    pub fn is_retry(&self) -> bool {
        matches!(self, Self::Wait { .. } | Self::Poll { .. } | Self::RetrySameKey { .. })
    }
}
