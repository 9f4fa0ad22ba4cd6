//! Bodies of streamed answers: counts their bytes, and logs a failure under the request id.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    HttpRequest,
    body::{BodySize, BoxBody, MessageBody},
    http::Method,
    web::Bytes,
};
use metrics::Counter;
use tracing::Span;

use crate::{
    http::{flow::Answering, measures, reply::Stream},
    state::blobs::Chunks,
};

/// For HEAD, the length alone.
pub(super) fn body(request: &HttpRequest, operation: &'static str, stream: Stream, answering: Answering) -> BoxBody {
    if request.method() == Method::HEAD {
        // HEAD needs the length, and must not read from the store.
        return BoxBody::new(Announced(stream.bytes));
    }
    let measures = measures::for_request(request);
    let (sent, failures) = (measures.streamed(operation), measures.failures(operation));
    let Stream { bytes, chunks, .. } = stream;
    BoxBody::new(Sending { bytes, chunks, span: Span::current(), sent, failures, _answering: answering })
}

struct Announced(u64);

impl MessageBody for Announced {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}

struct Sending {
    bytes: u64,
    chunks: Chunks,
    span: Span,
    sent: Counter,
    failures: Counter,
    /// The connection reads no other request before the last byte.
    _answering: Answering,
}

impl MessageBody for Sending {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes)
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = &mut *self;
        let _entered = this.span.enter();
        match this.chunks.as_mut().poll_next(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Ready(Some(Ok(chunk))) => {
                this.sent.increment(chunk.len() as u64);
                Poll::Ready(Some(Ok(chunk)))
            }
            Poll::Ready(Some(Err(failure))) => {
                // The head is sent already. The client notices that the body ends too early.
                tracing::error!(failure = %failure, kind = ?failure.kind(), "failed while sending");
                this.failures.increment(1);
                Poll::Ready(Some(Err(io::Error::other("the answer was cut off"))))
            }
        }
    }
}
