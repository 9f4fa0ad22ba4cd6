//! Flow control of a connection: one request at a time, and none before the client has taken the earlier answers.
//!
//! actix-http accepts as many pipelined requests as it has read, and buffers their answers without a bound. One
//! connection could fill the memory (15 MiB → 2.9 GiB measured). So the stream, which knows what the client takes,
//! and the requests tell each other when to wait.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use actix_web::{
    HttpRequest,
    http::header::{self, HeaderMap},
};
use shared_model::{Error, Failure, Refusal};

use crate::state::bounds::{Bound, Place};

/// What the stream may read now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    /// A request is being answered, or the client does not read its answer.
    Nothing,
    /// A request waits for news: its client may leave.
    Watched,
    Head,
    /// At most this much of a body that a verb waits for. The bytes after it are another request.
    Body(u64),
    /// Nothing more: the connection closes.
    End,
}

/// Shared by a connection's stream and its requests.
#[derive(Clone, Default)]
pub(crate) struct Flow(Rc<State>);

#[derive(Default)]
struct State {
    /// The client has not taken all that was sent.
    is_stuck: Cell<bool>,
    /// Part of a request's head has arrived, but not all of it.
    is_in_head: Cell<bool>,
    is_answering: Cell<bool>,
    /// Part of an answer may be unsent.
    has_unsent: Cell<bool>,
    /// The body of this request has not been read to its end.
    is_unread: Cell<bool>,
    closes: Cell<bool>,
    body: Cell<Body>,
    /// How much of a sized body may be read before the verb asks for more.
    wanted: Cell<u64>,
    /// A request waits for news.
    is_waiting: Cell<bool>,
    /// The client sends nothing more.
    is_gone: Cell<bool>,
    /// What the request holds, until the client has taken the answer.
    place: RefCell<Option<Place>>,
    reader: RefCell<Option<Waker>>,
    request: RefCell<Option<Waker>>,
}

/// What is still wanted of a body.
#[derive(Clone, Copy, Default)]
enum Body {
    #[default]
    Nothing,
    /// Of an announced length, so much.
    Sized(u64),
    /// Only actix knows where chunks end.
    Chunked,
}

/// Bodies and answers up to this length are not counted by their bytes: the number of requests bounds them.
pub(super) const UNCOUNTED_BYTES: usize = 64 * 1024;

// Otherwise actix-http reads up to 128 KiB ahead, and keeps a buffer of that size for the connection.
const WANTED_BYTES: u64 = 16 * 1024;
// Small: whatever is read beyond the last chunk is held until this request is answered.
const CHUNKED_BYTES: u64 = 2 * 1024;

impl Flow {
    /// When it is nothing, `waker` is called as soon as that changes.
    pub(crate) fn readable(&self, waker: &Waker) -> Readable {
        let state = &*self.0;
        if state.closes.get() && !state.is_answering.get() && !state.has_unsent.get() {
            return Readable::End;
        }
        match (state.is_stuck.get(), state.is_answering.get(), state.body.get()) {
            (false, _, Body::Sized(left @ 1..)) if state.wanted.get() > 0 => {
                Readable::Body(left.min(state.wanted.get()))
            }
            (false, _, Body::Chunked) => Readable::Body(CHUNKED_BYTES),
            (false, false, Body::Nothing) if !state.closes.get() => Readable::Head,
            (false, true, Body::Nothing) if state.is_waiting.get() && !state.is_gone.get() => Readable::Watched,
            _ => {
                *state.reader.borrow_mut() = Some(waker.clone());
                Readable::Nothing
            }
        }
    }

    pub(crate) fn has_read(&self, bytes: usize) {
        if let Body::Sized(left) = self.0.body.get() {
            self.0.body.set(Body::Sized(left.saturating_sub(bytes as u64)));
            self.0.wanted.set(self.0.wanted.get().saturating_sub(bytes as u64));
        }
    }

    /// Bytes of a request's head have been read.
    pub(crate) fn begin_head(&self) {
        self.0.is_in_head.set(true);
    }

    /// The rest of a head is missing.
    pub(crate) fn is_in_head(&self) -> bool {
        self.0.is_in_head.get()
    }

    /// No request is in progress: the client has taken all answers. A head that has only begun is not a request.
    pub(crate) fn is_idle(&self) -> bool {
        !self.0.has_unsent.get()
    }

    /// Whether the bytes that are sent now may belong to an answer of ours.
    pub(crate) fn has_unsent(&self) -> bool {
        self.0.has_unsent.get()
    }

    /// Everything is sent.
    pub(crate) fn flushed(&self) {
        if !self.0.is_answering.get() {
            self.0.has_unsent.set(false);
            self.0.place.take();
            if self.0.closes.get() {
                wake(&self.0.reader);
            }
        }
    }

    /// The client may still be sending a body that nobody reads.
    pub(crate) fn is_unread(&self) -> bool {
        self.0.is_unread.get()
    }

    /// The client sends nothing more, and probably waits for nothing.
    pub(crate) fn set_gone(&self) {
        self.0.is_gone.set(true);
        wake(&self.0.request);
    }

    /// Keeps the place of a request until the client has taken the answer, or the connection ends.
    pub(super) fn hold(&self, place: Place) {
        self.0.place.replace(Some(place));
    }

    /// The request holds more; 429 beyond the bound.
    pub(super) fn take(&self, bound: Bound, amount: u64) -> Result<(), Refusal> {
        self.0.place.borrow_mut().as_mut().map_or(Ok(()), |place| place.take(bound, amount))
    }

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

/// The flow of a request's connection.
pub(super) fn of(request: &HttpRequest) -> Result<&Flow, Failure> {
    // A request without one would be held by no bound.
    request.conn_data::<Flow>().ok_or_else(|| Failure::fault("a connection has no flow"))
}

/// The answer has this many bytes in memory, until the client has taken it. 429 beyond the bound, but not if the request
/// has had an effect.
pub(super) fn holds_answer(request: &HttpRequest, bytes: usize) -> Result<(), Error> {
    if bytes <= UNCOUNTED_BYTES {
        return Ok(());
    }
    let flow = of(request)?;
    if request.method().is_safe() {
        return Ok(flow.take(Bound::Answers, bytes as u64)?);
    }
    flow.0.place.borrow_mut().iter_mut().for_each(|place| place.add(Bound::Answers, bytes as u64));
    Ok(())
}

/// A request that waits for news, until this is dropped.
pub struct Waiting(Flow);

impl Flow {
    /// One more waiting poll; 429 if there are too many.
    pub(crate) fn wait(&self) -> Result<Waiting, Refusal> {
        self.take(Bound::Polls, 1)?;
        self.0.is_waiting.set(true);
        // The stream begins to watch for the client's end.
        wake(&self.0.reader);
        Ok(Waiting(self.clone()))
    }
}

impl Waiting {
    /// Returns when the client has left.
    pub async fn client_has_left(&self) {
        let state = &*self.0.0;
        poll_fn(|cx| {
            if state.is_gone.get() {
                return Poll::Ready(());
            }
            *state.request.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let state = &*self.0.0;
        state.is_waiting.set(false);
        state.place.borrow_mut().iter_mut().for_each(|place| place.give_back(Bound::Polls, 1));
    }
}

/// A request that is being answered, until this is dropped.
pub(crate) struct Answering(Option<Flow>);

/// Waits until the client has taken all earlier answers; stops the stream from reading another request meanwhile.
pub(super) async fn answering(request: &HttpRequest) -> Answering {
    let Some(flow) = request.conn_data::<Flow>() else { return Answering(None) };
    flow.answering(has_body(request.headers())).await
}

impl Flow {
    pub(crate) async fn answering(&self, has_body: bool) -> Answering {
        let state = &*self.0;
        state.is_in_head.set(false);
        state.is_answering.set(true);
        state.has_unsent.set(true);
        state.is_unread.set(has_body);
        poll_fn(|cx| {
            if !state.is_stuck.get() {
                return Poll::Ready(());
            }
            *state.request.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
        Answering(Some(self.clone()))
    }
}

/// Whether a body follows the head (RFC 9112 §6).
pub(super) fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0")
}

/// Whether the connection must close after the answer, because the request's body has not been read to its end. actix
/// would read on, after the answer and without a limit, to find the end of a chunked body.
pub(super) fn closes(request: &HttpRequest) -> bool {
    let flow = request.conn_data::<Flow>();
    let is_unread = flow.is_some_and(Flow::is_unread);
    if let Some(Flow(state)) = flow.filter(|_| is_unread) {
        state.closes.set(true);
    }
    is_unread
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(Flow(state)) = &self.0 {
            state.is_answering.set(false);
            wake(&state.reader);
        }
    }
}

/// A body that is being read, until this is dropped; by default, of no connection.
#[derive(Default)]
pub(super) struct ReadingBody(Option<Flow>);

/// Lets the stream read the body of this request.
pub(super) fn reading_body(request: &HttpRequest) -> ReadingBody {
    let flow = request.conn_data::<Flow>().cloned();
    if let Some(Flow(state)) = &flow {
        let length =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        state.body.set(length.map_or(Body::Chunked, Body::Sized));
        state.wanted.set(0);
    }
    ReadingBody(flow)
}

impl ReadingBody {
    /// The verb waits for the next bytes.
    pub(super) fn wants_more(&self) {
        if let Some(Flow(state)) = &self.0 {
            state.wanted.set(WANTED_BYTES);
            wake(&state.reader);
        }
    }

    /// The body was read to its end.
    pub(super) fn ended(&self) {
        if let Some(Flow(state)) = &self.0 {
            state.is_unread.set(false);
        }
    }
}

impl Drop for ReadingBody {
    fn drop(&mut self) {
        if let Some(Flow(state)) = &self.0 {
            state.body.set(Body::Nothing);
        }
    }
}
