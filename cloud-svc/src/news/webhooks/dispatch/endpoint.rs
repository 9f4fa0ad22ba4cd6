//! One attempt: a signed POST through the guarded outbound client.
// Only the status of the answer is kept. Otherwise a webhook could read servers of an internal network.

use std::{fmt, time::Duration};

use serde_json::Value;
use shared_runtime::state::outbound::{
    Bytes, ConnectionPool, Deadline, HeaderMap, Method, OutboundError, Reply, Request, StatusCode, Target,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};

use crate::news::webhooks::{deliveries::delivery::DueDelivery, message::VERIFICATION, signing_secret::Signer};

// To resolve the name, and again to connect.
const CONNECT: Duration = Duration::from_secs(5);
const EVENT: Duration = Duration::from_secs(15);
const CHALLENGE: Duration = Duration::from_secs(10);
// A challenge is 43 characters; nothing else of an answer is used.
const ANSWER_BYTES: usize = 8_192;

#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// Applies to the name lookup and to the connection separately.
    pub connect: Duration,
    pub total: Duration,
}

impl Timeouts {
    pub fn with(kind: &str) -> Self {
        Self { connect: CONNECT, total: if kind == VERIFICATION { CHALLENGE } else { EVENT } }
    }
}

/// Why an attempt failed; shown as `last_error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptError {
    Timeout,
    /// The name does not resolve.
    Dns,
    /// The address is not public.
    BlockedAddress,
    /// The TLS handshake failed.
    Tls,
    /// The connection failed, or the answer was not HTTP.
    Connect,
    /// Redirects are not followed.
    Redirect,
    /// The endpoint did not answer the challenge.
    ChallengeMismatch,
    /// Status 410.
    Gone,
    /// Nothing was sent: SERVICE_SECRET has changed, so the signing secret cannot be decrypted.
    SecretUnreadable,
    /// Another status.
    Http(u16),
}

impl AttemptError {
    /// Whether another attempt would fail as well. The webhook is then disabled.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Gone | Self::SecretUnreadable)
    }
}

impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Timeout => "timeout",
            Self::Dns => "dns",
            Self::BlockedAddress => "blocked_address",
            Self::Tls => "tls",
            Self::Connect => "connect",
            Self::Redirect => "redirect",
            Self::ChallengeMismatch => "challenge_mismatch",
            Self::Gone => "gone",
            Self::SecretUnreadable => "secret_unreadable",
            Self::Http(status) => return write!(f, "http_{status}"),
        };
        f.write_str(word)
    }
}

impl From<OutboundError> for AttemptError {
    fn from(error: OutboundError) -> Self {
        match error {
            OutboundError::Timeout => Self::Timeout,
            OutboundError::Dns => Self::Dns,
            OutboundError::AddressBlocked | OutboundError::Url(_) => Self::BlockedAddress,
            OutboundError::Tls(_) => Self::Tls,
            OutboundError::Connect | OutboundError::TooLarge | OutboundError::BadAnswer => Self::Connect,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    pub error: AttemptError,
    /// The endpoint's `Retry-After`.
    pub retry_after: Option<Duration>,
}

pub struct Endpoint<'a> {
    pub connections: &'a ConnectionPool,
    pub url: String,
    pub signer: Signer,
    /// The expected answer to a challenge.
    pub challenge: Option<String>,
}

impl Endpoint<'_> {
    /// `second` is the time in the signature.
    pub async fn attempt(&self, delivery: &DueDelivery, second: i64, timeouts: Timeouts) -> Result<(), FailedAttempt> {
        let failed = |error: AttemptError| FailedAttempt { error, retry_after: None };
        let reply = self.send(delivery, second, timeouts).await.map_err(|error| failed(error.into()))?;
        check_status(&reply)?;
        if delivery.kind == VERIFICATION && !self.is_answer(&reply.body) {
            return Err(failed(AttemptError::ChallengeMismatch));
        }
        Ok(())
    }

    async fn send(&self, delivery: &DueDelivery, second: i64, timeouts: Timeouts) -> Result<Reply, OutboundError> {
        let target = Target::parse(&self.url)?;
        let (id, body) = (delivery.event_id.as_str(), delivery.body.as_str());
        let text = |value: String| HeaderValue::try_from(value).map_err(|_| OutboundError::BadAnswer);
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/plain"));
        headers.insert("webhook-id", text(id.to_owned())?);
        headers.insert("webhook-timestamp", text(second.to_string())?);
        headers.insert("webhook-signature", text(self.signer.sign(id, second, body))?);
        let request =
            Request { method: Method::POST, path: "", headers, body: Bytes::copy_from_slice(body.as_bytes()) };

        let deadline = Deadline::after(timeouts.total);
        self.connections.send(&target, request, ANSWER_BYTES, timeouts.connect, deadline).await
    }

    /// The challenge may be the body, or the member `challenge` of a JSON object.
    fn is_answer(&self, body: &[u8]) -> bool {
        let Some(challenge) = &self.challenge else { return false };
        let text = String::from_utf8_lossy(body);
        let member = serde_json::from_slice::<Value>(body).ok().map(|body| body["challenge"] == challenge.as_str());
        text.trim() == challenge || member == Some(true)
    }
}

fn check_status(reply: &Reply) -> Result<(), FailedAttempt> {
    let error = match reply.status {
        status if status.is_success() => return Ok(()),
        status if status.is_redirection() => AttemptError::Redirect,
        StatusCode::GONE => AttemptError::Gone,
        status => AttemptError::Http(status.as_u16()),
    };
    let seconds = reply.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Err(FailedAttempt { error, retry_after: seconds.map(Duration::from_secs) })
}
