//! One HTTP/1.1 request and its answer, bounded in bytes and time.

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

// hyper also limits an answer to 100 header fields.
const MAX_HEAD_BYTES: usize = 16 * 1_024;

#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// Appended to the target's path.
    pub path: &'static str,
    /// `Host`, `User-Agent`, `Connection` and `Content-Length` are added. Mark secrets as sensitive.
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The answer. A redirect is returned like any other: it is not followed.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Connection {
    /// Sends a request and reads an answer with a body of at most `max` bytes.
    pub async fn send(self, mut request: Request, max: usize, deadline: Deadline) -> Result<Reply, OutboundError> {
        request.headers.insert(CONNECTION, HeaderValue::from_static("close"));
        let exchange = async { Http::over(self).await?.exchange(request, max, BodyOverflow::Refuse).await };
        deadline.within(exchange).await?.map(|(reply, _)| reply)
    }
}

type Driver = http1::Connection<TokioIo<Box<dyn Stream>>, Full<Bytes>>;

// hyper's connection does the reading and writing, and must be polled. It is polled only during an exchange, so it
// needs no task.
pub(super) struct Http {
    target: Target,
    peer: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
    connection: Pin<Box<Driver>>,
}

impl Http {
    pub(super) async fn over(Connection { target, peer, stream, .. }: Connection) -> Result<Self, OutboundError> {
        let mut http = Builder::new();
        http.max_buf_size(MAX_HEAD_BYTES);
        let (sender, connection) = http.handshake(TokioIo::new(stream)).await.map_err(|error| unreadable(&error))?;
        Ok(Self { target, peer, sender, connection: Box::pin(connection) })
    }

    /// True when this connection goes to an address of the destination, under the same name.
    pub(super) fn leads_to(&self, destination: &Destination) -> bool {
        self.target == destination.target && destination.addresses.contains(&self.peer)
    }

    /// True when the last answer was read to its end and the peer has not closed.
    pub(super) async fn is_ready(&mut self) -> bool {
        let Self { sender, connection, .. } = self;
        match select(pin!(sender.ready()), connection.as_mut()).await {
            Either::Left((ready, _)) => ready.is_ok(),
            Either::Right(_) => false,
        }
    }

    /// Sends a request and reads its answer. Also returns the connection if it can be reused.
    pub(super) async fn exchange(
        self,
        request: Request,
        max: usize,
        overflow: BodyOverflow,
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

        let answer = pin!(answer(sender, outgoing, max, overflow));
        // When the connection ends first, no more bytes will come: the answer is completed from the bytes that came.
        match select(answer, connection).await {
            Either::Left((answered, connection)) => {
                let (reply, sender) = answered?;
                let is_read = matches!(overflow, BodyOverflow::Refuse) || reply.body.len() < max;
                Ok((reply, is_read.then_some(Self { target, peer, sender, connection })))
            }
            Either::Right((_, answer)) => answer.await.map(|(reply, _)| (reply, None)),
        }
    }
}

/// What to do with a body that exceeds its limit.
#[derive(Clone, Copy)]
pub(super) enum BodyOverflow {
    Refuse,
    Ignore,
}

async fn answer(
    mut sender: SendRequest<Full<Bytes>>,
    outgoing: hyper::Request<Full<Bytes>>,
    max: usize,
    overflow: BodyOverflow,
) -> Result<(Reply, SendRequest<Full<Bytes>>), OutboundError> {
    let response = sender.send_request(outgoing).await.map_err(|error| unreadable(&error))?;
    let (head, body) = response.into_parts();
    let body = match overflow {
        BodyOverflow::Refuse => limited_body::read(body, max).await.map_err(|error| match error {
            BodyError::TooLong => OutboundError::TooLarge,
            BodyError::Broken(error) => unreadable(&error),
        })?,
        BodyOverflow::Ignore => limited_body::read_beginning(body, max).await.map_err(|error| unreadable(&error))?,
    };
    Ok((Reply { status: head.status, headers: head.headers, body }, sender))
}

fn unreadable(error: &hyper::Error) -> OutboundError {
    if error.is_parse_too_large() { OutboundError::TooLarge } else { OutboundError::BadAnswer }
}
