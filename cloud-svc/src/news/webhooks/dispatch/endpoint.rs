//! One attempt: a signed POST by the guarded way out, and one word of what came of it.
//!
//! Of what an endpoint answers, nothing is kept but its status: else the service would read inner networks for others.

use std::{fmt, time::Duration};

use serde_json::Value;
use shared_runtime::state::outbound::{
    Bytes, ConnectionPool, Deadline, HeaderMap, Method, OutboundError, Reply, Request, StatusCode, Target,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};

use crate::news::webhooks::{deliveries::delivery::DueDelivery, message::VERIFICATION, signing_secret::Signer};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long an attempt may take.
const EVENT: Duration = Duration::from_secs(15);
/// The same of a challenge.
const CHALLENGE: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read.
const ANSWER_BYTES: usize = 8_192;

/// How long the parts of an attempt may take.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// To resolve the name; and to connect.
    pub connect: Duration,
    pub total: Duration,
}

impl Timeouts {
    /// With a message of this type.
    pub fn with(kind: &str) -> Self {
        Self { connect: CONNECT, total: if kind == VERIFICATION { CHALLENGE } else { EVENT } }
    }
}

/// Why an attempt has failed: what is shown as `last_error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptError {
    Timeout,
    /// The name has no address.
    Dns,
    /// It leads to an address that is not public.
    BlockedAddress,
    /// TLS could not be agreed upon.
    Tls,
    /// There was no connection, or what came over it is no HTTP.
    Connect,
    /// The endpoint says that it is elsewhere.
    Redirect,
    /// The answer to a challenge is not the challenge.
    ChallengeMismatch,
    /// The endpoint says that it is gone for good.
    Gone,
    /// The endpoint has answered with this status.
    Http(u16),
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
    /// How long the endpoint asks to be left alone.
    pub retry_after: Option<Duration>,
}

pub struct Endpoint<'a> {
    pub connections: &'a ConnectionPool,
    pub url: String,
    pub signer: Signer,
    /// What a challenge must be answered with.
    pub challenge: Option<String>,
}

impl Endpoint<'_> {
    /// Sends a delivery at this second; it has succeeded if the endpoint has taken it.
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

    /// Whether this is the challenge: as it is, or as a member of a JSON object.
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
