//! One request and one answer over a connection: HTTP/1.1, bounded in bytes and in time.

use std::{
    net::SocketAddr,
    pin::{Pin, pin},
};

use futures_util::future::{Either, select};
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, StatusCode,
    body::Bytes,
    client::conn::http1::{self, Builder, SendRequest},
    header::{CONNECTION, HOST, HeaderValue, USER_AGENT},
};
use hyper_util::rt::TokioIo;

use super::{
    connection::{Connection, Destination, Stream},
    deadline::Deadline,
    error::OutboundError,
    target::Target,
};
use crate::base::limited_body::{self, BodyError};

/// Bytes of an answer's head at most; hyper takes at most 100 header fields.
const HEAD_BYTES: usize = 16 * 1_024;

/// What is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// What is appended to the target's path.
    pub path: &'static str,
    /// Headers; `Host`, `User-Agent`, `Connection` and the length are set on the way. Mark secrets as sensitive.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
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
    pub async fn send(self, mut request: Request, max: usize, deadline: Deadline) -> Result<Reply, OutboundError> {
        request.headers.insert(CONNECTION, HeaderValue::from_static("close"));
        let exchange = async { Http::over(self).await?.exchange(request, max, Rest::Refused).await };
        deadline.within(exchange).await?.map(|(reply, _)| reply)
    }
}

/// What does the reading and writing.
type Driver = http1::Connection<TokioIo<Box<dyn Stream>>, Full<Bytes>>;

/// A connection that speaks HTTP. Nobody but an exchange over it does its reading and writing.
pub(super) struct Http {
    target: Target,
    peer: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
    connection: Pin<Box<Driver>>,
}

impl Http {
    /// Over a connection on which nothing was said yet.
    pub(super) async fn over(Connection { target, peer, stream, .. }: Connection) -> Result<Self, OutboundError> {
        let mut http = Builder::new();
        http.max_buf_size(HEAD_BYTES);
        let (sender, connection) = http.handshake(TokioIo::new(stream)).await.map_err(|error| unreadable(&error))?;
        Ok(Self { target, peer, sender, connection: Box::pin(connection) })
    }

    /// Whether it leads to one of the addresses of this destination, under its name.
    pub(super) fn leads_to(&self, destination: &Destination) -> bool {
        self.target == destination.target && destination.addresses.contains(&self.peer)
    }

    /// Whether another request may be sent: the last answer is at its end, and the other side has not closed.
    pub(super) async fn is_ready(&mut self) -> bool {
        let Self { sender, connection, .. } = self;
        match select(pin!(sender.ready()), connection.as_mut()).await {
            Either::Left((ready, _)) => ready.is_ok(),
            Either::Right(_) => false,
        }
    }

    /// Sends a request and reads its answer; the connection too, if another may be sent over it.
    pub(super) async fn exchange(
        self,
        request: Request,
        max: usize,
        rest: Rest,
    ) -> Result<(Reply, Option<Self>), OutboundError> {
        let Self { target, peer, sender, connection } = self;
        let unusable = OutboundError::Url("the URL makes no HTTP request");
        let mut outgoing = hyper::Request::new(Full::new(request.body));
        *outgoing.method_mut() = request.method;
        *outgoing.uri_mut() = target.path_and_query(request.path).parse().map_err(|_| unusable)?;
        *outgoing.headers_mut() = request.headers;
        let host = HeaderValue::try_from(target.authority()).map_err(|_| unusable)?;
        outgoing.headers_mut().insert(HOST, host);
        outgoing
            .headers_mut()
            .insert(USER_AGENT, HeaderValue::from_static(concat!("Fourfold/", env!("CARGO_PKG_VERSION"))));

        let answer = pin!(answer(sender, outgoing, max, rest));
        // The connection does the reading and writing. Once it has ended it is dropped here, and the answer has all that it will get.
        match select(answer, connection).await {
            Either::Left((answered, connection)) => {
                let (reply, sender) = answered?;
                let is_read = matches!(rest, Rest::Refused) || reply.body.len() < max;
                Ok((reply, is_read.then_some(Self { target, peer, sender, connection })))
            }
            Either::Right((_, answer)) => answer.await.map(|(reply, _)| (reply, None)),
        }
    }
}

/// What becomes of an answer's body beyond its limit.
#[derive(Clone, Copy)]
pub(super) enum Rest {
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
) -> Result<(Reply, SendRequest<Full<Bytes>>), OutboundError> {
    let response = sender.send_request(outgoing).await.map_err(|error| unreadable(&error))?;
    let (head, body) = response.into_parts();
    let body = match rest {
        Rest::Refused => limited_body::read(body, max).await.map_err(|error| match error {
            BodyError::TooLong => OutboundError::TooLarge,
            BodyError::Broken(error) => unreadable(&error),
        })?,
        Rest::Left => limited_body::read_beginning(body, max).await.map_err(|error| unreadable(&error))?,
    };
    Ok((Reply { status: head.status, headers: head.headers, body }, sender))
}

fn unreadable(error: &hyper::Error) -> OutboundError {
    if error.is_parse_too_large() { OutboundError::TooLarge } else { OutboundError::BadAnswer }
}
