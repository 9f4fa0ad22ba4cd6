//! A request body while it arrives, with limits of size and time.

use std::time::Duration;

use actix_web::{FromRequest as _, HttpRequest, dev, error::PayloadError, http::header, web};
use futures_util::{StreamExt as _, future, stream, stream::LocalBoxStream};
use shared_model::{Error, Problem, Refusal, code};
use tokio::time::{Instant, timeout_at};

use super::{
    flow::{self, Flow, ReadingBody, UNCOUNTED_BYTES},
    grant_check::GrantCheck,
    next_action,
};
use crate::state::bounds::Bound;

/// Time limits of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyTimeouts {
    /// Between two pieces.
    pub pause: Duration,
    /// From the first to the last byte.
    pub total: Duration,
}

/// Dropped before its end, the rest is not read.
pub struct IncomingBody {
    payload: web::Payload,
    announced: Option<u64>,
    received: u64,
    max: u64,
    timeouts: BodyTimeouts,
    end: Instant,
    /// Runs at the end of the body.
    check: Option<GrantCheck>,
    reading: ReadingBody,
    counting: Option<Counting>,
}

/// Counts a body to the holder of its request.
struct Counting {
    flow: Flow,
    counted: u64,
}

impl Counting {
    fn count(&mut self, bytes: u64) -> Result<(), Refusal> {
        let more = bytes.saturating_sub(self.counted);
        self.counted += more;
        if more > 0 { self.flow.take(Bound::Bodies, more) } else { Ok(()) }
    }
}

// Uploads come over slow links: they get more time than text, in all and between two packets.
const BYTES_PAUSE_FACTOR: u32 = 3;
const BYTES_TOTAL_FACTOR: u32 = 60;

impl BodyTimeouts {
    pub fn of_text(within: Duration) -> Self {
        Self { pause: within, total: within }
    }

    pub fn of_bytes(within: Duration) -> Self {
        Self { pause: within * BYTES_PAUSE_FACTOR, total: within * BYTES_TOTAL_FACTOR }
    }
}

impl IncomingBody {
    /// 413 when more than `max` bytes are announced.
    pub fn new(
        request: &HttpRequest,
        payload: web::Payload,
        max: usize,
        timeouts: BodyTimeouts,
    ) -> Result<Self, Refusal> {
        let max = max as u64;
        let announced = request.headers().get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
        if announced.is_some_and(|announced| announced > max) {
            return Err(too_large(max));
        }
        let end = Instant::now() + timeouts.total;
        let reading = flow::reading_body(request);
        Ok(Self { payload, announced, received: 0, max, timeouts, end, check: None, reading, counting: None })
    }

    /// Checks the grant again once the body is whole.
    pub(crate) fn checked(self, check: Option<GrantCheck>) -> Self {
        Self { check, ..self }
    }

    /// Counts its bytes to the holder of the request: 429 beyond the bound.
    pub(crate) fn counted(self, request: &HttpRequest) -> Result<Self, Error> {
        let mut counting = Counting { flow: flow::of(request)?.clone(), counted: UNCOUNTED_BYTES as u64 };
        counting.count(self.announced.unwrap_or_default())?;
        Ok(Self { counting: Some(counting), ..self })
    }

    /// The body of a call that a page or a tool makes within this request.
    pub fn from_bytes(request: &HttpRequest, bytes: web::Bytes, timeouts: BodyTimeouts) -> Self {
        let announced = bytes.len() as u64;
        let bytes: LocalBoxStream<'_, Result<web::Bytes, PayloadError>> =
            Box::pin(stream::once(future::ready(Ok(bytes))));
        let mut payload = dev::Payload::Stream { payload: bytes };
        let payload = web::Payload::from_request(request, &mut payload).into_inner();
        let payload = payload.expect("actix makes a payload of every payload");
        let end = Instant::now() + timeouts.total;
        Self {
            payload,
            announced: Some(announced),
            received: 0,
            max: announced,
            timeouts,
            end,
            check: None,
            reading: ReadingBody::default(),
            counting: None,
        }
    }

    /// `Content-Length`.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    /// The next bytes; `None` at the end. 413 beyond the limit; 400 when the body is cut off or too slow. 401 at the
    /// end if the grant has ended meanwhile.
    pub async fn next(&mut self) -> Result<Option<web::Bytes>, Error> {
        let BodyTimeouts { pause, total } = self.timeouts;
        self.reading.wants_more();
        let pause_ends = Instant::now() + pause;
        // Both limits are needed: one byte every few seconds would never exceed the pause.
        let Ok(chunk) = timeout_at(pause_ends.min(self.end), self.payload.next()).await else {
            let rule = match pause_ends < self.end {
                true => format!("must not pause for more than {} seconds", pause.as_secs()),
                false => format!("must arrive within {} seconds", total.as_secs()),
            };
            return Err(unreceived(rule).into());
        };
        let Some(chunk) = chunk.transpose().map_err(unreadable)? else {
            self.reading.ended();
            if let Some(check) = self.check.take() {
                check.run().await?;
            }
            return Ok(None);
        };
        // Counted, not trusted: a chunked body announces no length.
        self.received += chunk.len() as u64;
        if self.received > self.max {
            return Err(too_large(self.max).into());
        }
        if let Some(counting) = &mut self.counting {
            counting.count(self.received)?;
        }
        Ok(Some(chunk))
    }

    /// Reads and discards the rest: a client that is still sending would not read the answer.
    pub async fn drain(&mut self) -> Result<(), Error> {
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

/// 400, and the connection closes: the rest of the body must not be read as the next request.
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
        write!(f, "a body with {} bytes received", self.received)
    }
}
