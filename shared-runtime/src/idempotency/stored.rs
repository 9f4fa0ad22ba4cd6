//! Answers as the idempotency record stores them.

use actix_web::http::StatusCode;
use shared_model::{Error, Failure, NextAction, Timestamp, code};

use super::once::Bound;
use crate::http::reply::Answer;

/// The answer of a completed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredAnswer {
    pub(super) fingerprint: [u8; 32],
    pub(super) expires_at: Timestamp,
    pub(super) status: u16,
    /// A JSON array of pairs.
    pub(super) headers: String,
    /// JSON text.
    pub(super) payload: String,
}

impl StoredAnswer {
    pub(super) fn from_answer(answer: &Answer<()>, once: Bound, expires_at: Timestamp) -> Result<Self, Failure> {
        let (status, payload, headers) = answer.stored_parts();
        Ok(Self {
            fingerprint: once.fingerprint,
            expires_at,
            status: status.as_u16(),
            headers: serde_json::to_string(headers)?,
            payload: payload.to_owned(),
        })
    }

    /// The answer, for the same request; 409 for another request under the same key.
    pub(super) fn replay(self, once: Bound, created_at: Timestamp) -> Result<Answer<()>, Error> {
        // A reused key is a bug of the client. Replaying another command's answer would hide it.
        if self.fingerprint != once.fingerprint {
            let first_used_at = Some(created_at);
            let next = NextAction::NewKey { operation: None, first_used_at, href: None };
            return Err(code::IDEMPOTENCY_KEY_REUSED.refusal().next(next).into());
        }
        let status = StatusCode::from_u16(self.status)
            .map_err(|error| Failure::fault("a status of an idempotency record").from_source(error))?;
        let headers = serde_json::from_str(&self.headers)?;
        Ok(Answer::from_parts(status, self.payload, headers, true))
    }
}
