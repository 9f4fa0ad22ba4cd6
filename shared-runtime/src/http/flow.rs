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

use actix_web::HttpRequest;

/// What may be read from a connection now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    /// Nothing: a request is being answered, or the peer does not take an answer.
    Nothing,
    /// The head of a request.
    Head,
    /// A body that somebody waits for.
    Body,
}

/// Shared by the stream of a connection and its requests.
#[derive(Clone, Default)]
pub(crate) struct Flow(Rc<State>);

#[derive(Default)]
struct State {
    /// The peer has left something of what was sent last.
    is_stuck: Cell<bool>,
    is_answering: Cell<bool>,
    wants_body: Cell<bool>,
    /// Waits to read.
    reader: RefCell<Option<Waker>>,
    /// Waits for the peer.
    request: RefCell<Option<Waker>>,
}

impl Flow {
    /// What may be read; when it is nothing, `waker` is called as soon as that changes.
    pub(crate) fn readable(&self, waker: &Waker) -> Readable {
        let state = &*self.0;
        match (state.is_stuck.get(), state.is_answering.get(), state.wants_body.get()) {
            (false, _, true) => Readable::Body,
            (false, false, false) => Readable::Head,
            _ => {
                *state.reader.borrow_mut() = Some(waker.clone());
                Readable::Nothing
            }
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

/// A body that is being read, until it is dropped.
pub(super) struct ReadingBody(Option<Flow>);

/// Has the stream read on, for the body of this request.
pub(super) fn reading_body(request: &HttpRequest) -> ReadingBody {
    let flow = request.conn_data::<Flow>().cloned();
    if let Some(Flow(state)) = &flow {
        state.wants_body.set(true);
        wake(&state.reader);
    }
    ReadingBody(flow)
}

impl Drop for ReadingBody {
    fn drop(&mut self) {
        if let Some(Flow(state)) = &self.0 {
            state.wants_body.set(false);
        }
    }
}
