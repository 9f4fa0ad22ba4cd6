//! An answer as it is stored in the idempotency record, and cached beside the in-flight locks.

use actix_web::http::StatusCode;
use shared_model::{Error, Failure, Timestamp, code};

use super::once::Once;
use crate::http::reply::Answer;

/// The answer of a command that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// What was asked.
    pub(super) fingerprint: [u8; 32],
    /// When the key is free again.
    pub(super) expires_at: Timestamp,
    /// The HTTP status.
    pub(super) status: u16,
    /// A JSON array of pairs.
    pub(super) headers: String,
    /// JSON text.
    pub(super) payload: String,
}

impl Stored {
    /// What is stored of an answer.
    pub(super) fn of<T>(answer: &Answer<T>, once: Once, expires_at: Timestamp) -> Result<Self, Failure> {
        let (status, payload, headers) = answer.stored_parts();
        Ok(Self {
            fingerprint: once.fingerprint,
            expires_at,
            status: status.as_u16(),
            headers: serde_json::to_string(headers)?,
            payload: payload.to_owned(),
        })
    }

    /// The answer again, for the same request; 409 for another under the same key.
    pub(super) fn replay<T>(self, once: Once) -> Result<Answer<T>, Error> {
        if self.fingerprint != once.fingerprint {
            return Err(code::IDEMPOTENCY_KEY_REUSED.refusal().into());
        }
        let status = StatusCode::from_u16(self.status)
            .map_err(|error| Failure::fault("a status of an idempotency record").from_source(error))?;
        let headers = serde_json::from_str(&self.headers)?;
        Ok(Answer::from_parts(status, self.payload, headers, true))
    }

    /// One text of five lines; only the last, the payload, may contain line breaks.
    pub(super) fn to_cached(&self) -> String {
        let Self { fingerprint, expires_at, status, headers, payload } = self;
        format!("{}\n{}\n{status}\n{headers}\n{payload}", hex::encode(fingerprint), expires_at.micros())
    }

    /// Reads a cached answer; `None` for any other text, and the database decides.
    pub(super) fn from_cached(text: &str) -> Option<Self> {
        let mut lines = text.splitn(5, '\n');
        let mut fingerprint = [0; 32];
        hex::decode_to_slice(lines.next()?, &mut fingerprint).ok()?;
        Some(Self {
            fingerprint,
            expires_at: Timestamp::from_micros(lines.next()?.parse().ok()?),
            status: lines.next()?.parse().ok()?,
            headers: lines.next()?.to_owned(),
            payload: lines.next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_answer_is_what_was_stored() {
        let stored = Stored {
            fingerprint: [7; 32],
            expires_at: Timestamp::from_micros(12),
            status: 202,
            headers: r#"[["location","/x"]]"#.to_owned(),
            payload: "{\"a\":\n1}".to_owned(),
        };
        assert_eq!(Stored::from_cached(&stored.to_cached()), Some(stored));
        assert_eq!(Stored::from_cached(""), None);
        assert_eq!(Stored::from_cached("07\n1\n200\n[]\n{}"), None);
    }
}
