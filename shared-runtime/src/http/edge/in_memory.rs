//! Bodies of answers that are whole in memory.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};

use crate::http::flow::Answering;

// actix-http copies each piece into the connection's buffer. It keeps that buffer, up to 128 KiB, for the next answer.
const SLICE: usize = 16 * 1024;

pub(super) fn body(bytes: impl Into<Bytes>, answering: Answering) -> BoxBody {
    let bytes = bytes.into();
    if bytes.len() <= SLICE { BoxBody::new(bytes) } else { BoxBody::new(Sliced { bytes, _answering: answering }) }
}

struct Sliced {
    bytes: Bytes,
    /// The connection reads no other request before the last slice.
    _answering: Answering,
}

impl MessageBody for Sliced {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let count = self.bytes.len().min(SLICE);
        Poll::Ready((count > 0).then(|| Ok(self.bytes.split_to(count))))
    }
}
