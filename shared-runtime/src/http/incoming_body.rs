//! A body on its way in: bounded in bytes and in time.

use std::time::Duration;

use actix_web::{FromRequest as _, HttpRequest, dev, error::PayloadError, http::header, web};
use futures_util::{StreamExt as _, future, stream, stream::LocalBoxStream};
use shared_model::{Problem, Refusal, code};
use tokio::time::{Instant, timeout_at};

use super::{
    flow::{self, ReadingBody},
    next_action,
};

/// How long a body may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Without a byte.
    pub pause: Duration,
    /// In all.
    pub whole: Duration,
}

/// The body of a request, which is read as it comes. Dropped before its end, nothing more of it is read.
pub struct IncomingBody {
    payload: web::Payload,
    announced: Option<u64>,
    received: u64,
    max: u64,
    patience: Patience,
    end: Instant,
    _reading: ReadingBody,
}

impl IncomingBody {
    /// The body of this request, of at most `max` bytes: 413 when more are announced.
    pub fn new(request: &HttpRequest, payload: web::Payload, max: usize, patience: Patience) -> Result<Self, Refusal> {
        let max = max as u64;
        let announced = request.headers().get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
        if announced.is_some_and(|announced| announced > max) {
            return Err(too_large(max));
        }
        let end = Instant::now() + patience.whole;
        Ok(Self { payload, announced, received: 0, max, patience, end, _reading: flow::reading_body(request) })
    }

    /// These bytes, as the body of a request that is made within this one.
    pub fn of(request: &HttpRequest, bytes: web::Bytes, patience: Patience) -> Self {
        let announced = bytes.len() as u64;
        let bytes: LocalBoxStream<'_, Result<web::Bytes, PayloadError>> =
            Box::pin(stream::once(future::ready(Ok(bytes))));
        let mut payload = dev::Payload::Stream { payload: bytes };
        let payload = web::Payload::from_request(request, &mut payload).into_inner();
        let payload = payload.expect("actix makes a payload of every payload");
        let end = Instant::now() + patience.whole;
        Self {
            payload,
            announced: Some(announced),
            received: 0,
            max: announced,
            patience,
            end,
            _reading: ReadingBody::default(),
        }
    }

    /// The length that it was said to have.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    /// What has come of it since the last call; `None` at its end. 413 when it is longer than it may be; 400 when it is cut
    /// off, or takes too long.
    pub async fn next(&mut self) -> Result<Option<web::Bytes>, Refusal> {
        let Patience { pause, whole } = self.patience;
        let pause_ends = Instant::now() + pause;
        let Ok(chunk) = timeout_at(pause_ends.min(self.end), self.payload.next()).await else {
            let rule = match pause_ends < self.end {
                true => format!("must not pause for more than {} seconds", pause.as_secs()),
                false => format!("must arrive within {} seconds", whole.as_secs()),
            };
            return Err(unreceived(rule));
        };
        let Some(chunk) = chunk.transpose().map_err(unreadable)? else { return Ok(None) };
        self.received += chunk.len() as u64;
        if self.received > self.max {
            return Err(too_large(self.max));
        }
        Ok(Some(chunk))
    }

    /// Reads what is left of it, so that the peer, which may still be sending, reads the answer.
    pub async fn drain(&mut self) -> Result<(), Refusal> {
        while self.next().await?.is_some() {}
        Ok(())
    }
}

fn unreadable(error: PayloadError) -> Refusal {
    let rule = match error {
        PayloadError::Incomplete(_) => next_action::CUT_OFF,
        _ => "could not be read",
    };
    unreceived(rule)
}

/// 400, and the end of the connection: what may still come of the body is not the next request.
fn unreceived(rule: impl Into<String>) -> Refusal {
    problem(&code::INVALID_REQUEST, rule.into()).header("connection", "close")
}

fn too_large(max: u64) -> Refusal {
    problem(&code::BODY_TOO_LARGE, next_action::too_large(max))
}

fn problem(code: &'static shared_model::Code, rule: String) -> Refusal {
    Refusal::problems(code, vec![Problem { at: String::new(), rule }])
}

impl std::fmt::Debug for IncomingBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a body of which {} bytes have come", self.received)
    }
}
