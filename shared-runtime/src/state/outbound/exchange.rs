//! One request and one answer over a connection: HTTP/1.1, bounded in bytes and in time.

use std::pin::pin;

use futures_util::future::{Either, select};
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, StatusCode,
    body::Bytes,
    client::conn::http1::{Builder, SendRequest},
    header::{CONNECTION, HOST, HeaderValue, USER_AGENT},
};
use hyper_util::rt::TokioIo;

use super::{connection::Connection, deadline::Deadline, error::OutboundError};
use crate::base::limited_body::{self, BodyError};

/// Bytes of an answer's head at most; hyper takes at most 100 header fields.
const HEAD_BYTES: usize = 16 * 1_024;

/// What is sent.
#[derive(Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// What is appended to the target's path.
    pub path: &'static str,
    /// Headers; `Host`, `Connection`, `User-Agent` and the length are set on the way. Mark secrets as sensitive.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

/// What came back. A redirect is an answer like any other: nobody follows it.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Connection {
    /// Sends a request and reads an answer whose body is of at most `max` bytes.
    pub async fn send(self, request: Request, max: usize, deadline: Deadline) -> Result<Reply, OutboundError> {
        deadline.within(self.exchange(request, max, Rest::Refused)).await?
    }

    /// The same, where the answer may be longer: what comes after `max` bytes of its body is left unread.
    pub async fn send_for_beginning(
        self,
        request: Request,
        max: usize,
        deadline: Deadline,
    ) -> Result<Reply, OutboundError> {
        deadline.within(self.exchange(request, max, Rest::Left)).await?
    }

    async fn exchange(self, request: Request, max: usize, rest: Rest) -> Result<Reply, OutboundError> {
        let Self { target, stream, .. } = self;
        let unusable = OutboundError::Url("the URL makes no HTTP request");
        let mut outgoing = hyper::Request::new(Full::new(Bytes::from(request.body)));
        *outgoing.method_mut() = request.method;
        *outgoing.uri_mut() = target.path_and_query(request.path).parse().map_err(|_| unusable)?;
        *outgoing.headers_mut() = request.headers;
        let host = HeaderValue::try_from(target.authority()).map_err(|_| unusable)?;
        outgoing.headers_mut().insert(HOST, host);
        outgoing.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        outgoing
            .headers_mut()
            .insert(USER_AGENT, HeaderValue::from_static(concat!("Fourfold/", env!("CARGO_PKG_VERSION"))));

        let mut http = Builder::new();
        http.max_buf_size(HEAD_BYTES);
        let (sender, connection) = http.handshake(TokioIo::new(stream)).await.map_err(|error| unreadable(&error))?;
        let answer = pin!(answer(sender, outgoing, max, rest));
        // The connection does the reading and writing; once it has ended, the answer has all that it will get.
        match select(answer, pin!(connection)).await {
            Either::Left((reply, _)) => reply,
            Either::Right((_, answer)) => answer.await,
        }
    }
}

/// What becomes of an answer's body beyond its limit.
#[derive(Clone, Copy)]
enum Rest {
    /// There must be none.
    Refused,
    /// It is not read.
    Left,
}

async fn answer(
    mut sender: SendRequest<Full<Bytes>>,
    outgoing: hyper::Request<Full<Bytes>>,
    max: usize,
    rest: Rest,
) -> Result<Reply, OutboundError> {
    let response = sender.send_request(outgoing).await.map_err(|error| unreadable(&error))?;
    let (head, body) = response.into_parts();
    let body = match rest {
        Rest::Refused => limited_body::read(body, max).await.map_err(|error| match error {
            BodyError::TooLong => OutboundError::TooLarge,
            BodyError::Broken(error) => unreadable(&error),
        })?,
        Rest::Left => limited_body::read_beginning(body, max).await.map_err(|error| unreadable(&error))?,
    };
    Ok(Reply { status: head.status, headers: head.headers, body })
}

fn unreadable(error: &hyper::Error) -> OutboundError {
    if error.is_parse_too_large() { OutboundError::TooLarge } else { OutboundError::BadAnswer }
}
