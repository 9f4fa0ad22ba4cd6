//! The flow of a connection: one request at a time, and none before the answers to those before it have been taken.
//!
//! actix-http takes as many pipelined requests as it has read, and keeps their answers without a bound, whether the peer reads
//! them or not. So the stream, which knows what the peer takes, and the requests tell one another when to wait.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use actix_web::{HttpRequest, http::header};

/// What may be read from a connection now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    /// Nothing: a request is being answered, or the peer does not take an answer.
    Nothing,
    /// The head of a request.
    Head,
    /// At most so much of a body that somebody waits for: what comes after it is another request.
    Body(u64),
}

/// Shared by the stream of a connection and its requests.
#[derive(Clone, Default)]
pub(crate) struct Flow(Rc<State>);

#[derive(Default)]
struct State {
    /// The peer has left something of what was sent last.
    is_stuck: Cell<bool>,
    is_answering: Cell<bool>,
    /// Something of an answer of ours may not have been sent yet.
    has_unsent: Cell<bool>,
    body: Cell<Body>,
    /// Waits to read.
    reader: RefCell<Option<Waker>>,
    /// Waits for the peer.
    request: RefCell<Option<Waker>>,
}

/// What is still wanted of a body.
#[derive(Clone, Copy, Default)]
enum Body {
    #[default]
    Nothing,
    /// Of an announced length, so much.
    Sized(u64),
    /// In chunks; only actix knows where it ends.
    Chunked,
}

/// Bytes that are read at once of a body in chunks.
const CHUNKED_BYTES: u64 = 2 * 1024;

impl Flow {
    /// What may be read; when it is nothing, `waker` is called as soon as that changes.
    pub(crate) fn readable(&self, waker: &Waker) -> Readable {
        let state = &*self.0;
        match (state.is_stuck.get(), state.is_answering.get(), state.body.get()) {
            (false, _, Body::Sized(left @ 1..)) => Readable::Body(left),
            (false, _, Body::Chunked) => Readable::Body(CHUNKED_BYTES),
            (false, false, Body::Nothing) => Readable::Head,
            _ => {
                *state.reader.borrow_mut() = Some(waker.clone());
                Readable::Nothing
            }
        }
    }

    /// Notes that so many bytes were read.
    pub(crate) fn has_read(&self, bytes: usize) {
        if let Body::Sized(left) = self.0.body.get() {
            self.0.body.set(Body::Sized(left.saturating_sub(bytes as u64)));
        }
    }

    /// Whether what is sent now may be of an answer of ours.
    pub(crate) fn has_unsent(&self) -> bool {
        self.0.has_unsent.get()
    }

    /// Notes that all that there was to send is sent.
    pub(crate) fn flushed(&self) {
        if !self.0.is_answering.get() {
            self.0.has_unsent.set(false);
        }
    }

    /// Notes whether the peer has left something of what was sent last.
    pub(crate) fn set_stuck(&self, is_stuck: bool) {
        self.0.is_stuck.set(is_stuck);
        if !is_stuck {
            wake(&self.0.request);
            wake(&self.0.reader);
        }
    }
}

fn wake(waker: &RefCell<Option<Waker>>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}

/// A request that is being answered, until it is dropped.
pub(super) struct Answering(Option<Flow>);

/// Waits until the peer has taken the answers to the requests before this one, and has no other be read meanwhile.
pub(super) async fn answering(request: &HttpRequest) -> Answering {
    let flow = request.conn_data::<Flow>().cloned();
    if let Some(Flow(state)) = &flow {
        state.is_answering.set(true);
        state.has_unsent.set(true);
        poll_fn(|cx| {
            if !state.is_stuck.get() {
                return Poll::Ready(());
            }
            *state.request.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
    Answering(flow)
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(Flow(state)) = &self.0 {
            state.is_answering.set(false);
            wake(&state.reader);
        }
    }
}

/// A body that is being read, until it is dropped; by default, one of no connection.
#[derive(Default)]
pub(super) struct ReadingBody(Option<Flow>);

/// Has the stream read on, for the body of this request.
pub(super) fn reading_body(request: &HttpRequest) -> ReadingBody {
    let flow = request.conn_data::<Flow>().cloned();
    if let Some(Flow(state)) = &flow {
        let length =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        state.body.set(length.map_or(Body::Chunked, Body::Sized));
        wake(&state.reader);
    }
    ReadingBody(flow)
}

impl Drop for ReadingBody {
    fn drop(&mut self) {
        if let Some(Flow(state)) = &self.0 {
            state.body.set(Body::Nothing);
        }
    }
}
