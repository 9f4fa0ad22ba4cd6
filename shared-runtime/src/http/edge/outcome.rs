//! Bodies of outcomes, the same over HTTP and for calls from pages and tools.

use shared_model::{Envelope, ErrorBody, Failure, Refusal, code, envelope::Meta, error_body::ErrorDetail, failure};

use crate::{
    base::request_id::RequestId,
    http::{contract::Contract, measures::OperationMeasures, next_action},
};

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

/// The body of a refusal. A debug build panics when the contract does not declare the code, so that every test checks
/// it.
pub(in crate::http) fn error_body(
    contract: Option<&Contract>,
    id: &RequestId,
    refusal: &Refusal,
    base_url: &str,
) -> ErrorBody {
    if let Some(contract) = contract {
        let name = refusal.code.name;
        debug_assert!(contract.codes.contains(&refusal.code), "{} does not declare {name}", contract.id);
    }
    let next_action = next_action::answered(contract, refusal, base_url);
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

/// The refusal for a failure, which is logged here and only here.
pub(in crate::http) fn refusal_for_failure(measures: &OperationMeasures, failure: &Failure) -> Refusal {
    // An outage is one line in the log, not one for each request that it fails.
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
