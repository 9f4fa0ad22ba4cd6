//! What becomes of an operation, as a body: the same whether it was asked for over HTTP or from within.

use shared_model::{Envelope, ErrorBody, Failure, Refusal, code, envelope::Meta, error_body::ErrorDetail, failure};

use crate::{
    base::request_id::RequestId,
    http::{contract::Contract, measures::OperationMeasures, next_action},
};

/// A payload in its envelope.
pub(in crate::http) fn wrapped(
    envelope: Envelope,
    id: &RequestId,
    payload: &str,
    next_cursor: Option<&Option<String>>,
    replayed: bool,
) -> String {
    let next_cursor = next_cursor.map(|cursor| cursor.as_deref());
    envelope.wrap(payload, Meta { request_id: id.as_str(), next_cursor, replayed })
}

/// The body of a refusal. In a debug build, which all tests use, an operation that refuses with a code that its contract does
/// not declare panics.
pub(in crate::http) fn error_body(contract: Option<&Contract>, id: &RequestId, refusal: &Refusal) -> ErrorBody {
    if let Some(contract) = contract {
        let name = refusal.code.name;
        debug_assert!(contract.codes.contains(&refusal.code), "{} does not declare {name}", contract.id);
    }
    let next_action = next_action::answered(contract, refusal);
    ErrorBody {
        error: ErrorDetail {
            code: refusal.code.name.to_owned(),
            message: refusal.message.clone().into_owned(),
            request_id: id.as_str().to_owned(),
            retryable: next_action.is_retry(),
            next_action,
        },
    }
}

/// What is answered to a request that failed on our side: the cause is logged here, and only here, unless it is an outage that
/// is in the log already.
pub(in crate::http) fn of_failure(measures: &OperationMeasures, failure: &Failure) -> Refusal {
    if failure.is_already_logged() {
        tracing::debug!(failure = %failure, kind = ?failure.kind(), "failed");
    } else {
        tracing::error!(failure = %failure, kind = ?failure.kind(), "failed");
    }
    measures.failures().increment(1);
    match failure.kind() {
        failure::Kind::Fault => code::INTERNAL_ERROR.refusal(),
        failure::Kind::Unavailable | failure::Kind::Conflict => code::TEMPORARILY_UNAVAILABLE.refusal(),
    }
}
