//! The connections of one worker. Their number is limited: the one that is idle for the longest time makes room for a
//! new one.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    task::Waker,
};

use actix_http::error::DispatchError;
use tokio::time::Instant;

use super::{
    error::refused,
    measures::ConnectionMeasures,
    open::{OpenConnection, OpenConnections},
};
use crate::http::flow::Flow;

struct ConnectionState {
    /// Of the last read or write.
    active_at: Cell<Instant>,
    flow: Flow,
    is_evicted: Cell<bool>,
    /// Of the task that waits for the next request.
    waker: RefCell<Option<Waker>>,
}

pub(super) struct Registry {
    bound: usize,
    measures: ConnectionMeasures,
    open: OpenConnections,
    known: RefCell<HashMap<u64, Rc<ConnectionState>>>,
    next: Cell<u64>,
}

impl Registry {
    pub(super) fn bounded(bound: usize, measures: ConnectionMeasures, open: OpenConnections) -> Rc<Self> {
        Rc::new(Self { bound, measures, open, known: RefCell::default(), next: Cell::new(0) })
    }

    /// Admits a new connection. Beyond the limit the one that is idle for the longest time is closed.
    pub(super) fn admit(registry: &Rc<Self>) -> Result<Entry, DispatchError> {
        let mut known = registry.known.borrow_mut();
        let is_full = || known.values().filter(|known| !known.is_evicted.get()).count() >= registry.bound;
        // The cheap comparison first: counting goes through all connections.
        if known.len() >= registry.bound && is_full() {
            let idle = known.values().filter(|known| known.flow.is_idle() && !known.is_evicted.get());
            // Without an idle one the new connection is closed before anything is read from it: the client can safely
            // try again.
            let Some(idlest) = idle.min_by_key(|known| known.active_at.get()) else {
                registry.measures.refused.increment(1);
                return Err(refused("all connections are busy"));
            };
            registry.measures.evicted.increment(1);
            idlest.evict();
        }
        let number = registry.next.replace(registry.next.get() + 1);
        let new = Rc::new(ConnectionState {
            active_at: Cell::new(Instant::now()),
            flow: Flow::default(),
            is_evicted: Cell::new(false),
            waker: RefCell::new(None),
        });
        known.insert(number, Rc::clone(&new));
        let open = registry.open.one_more(&registry.measures.open);
        Ok(Entry { registry: Rc::clone(registry), number, known: new, _open: open })
    }
}

impl ConnectionState {
    fn evict(&self) {
        self.is_evicted.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// A connection's place in the registry, until this is dropped.
pub(super) struct Entry {
    registry: Rc<Registry>,
    number: u64,
    known: Rc<ConnectionState>,
    _open: OpenConnection,
}

impl Entry {
    pub(super) fn is_evicted(&self) -> bool {
        self.known.is_evicted.get()
    }

    pub(super) fn flow(&self) -> &Flow {
        &self.known.flow
    }

    /// The client has sent something, or taken everything.
    pub(super) fn touch(&self) {
        self.known.active_at.set(Instant::now());
    }

    pub(super) fn waits(&self, waker: &Waker) {
        let mut known = self.known.waker.borrow_mut();
        if known.as_ref().is_none_or(|known| !known.will_wake(waker)) {
            *known = Some(waker.clone());
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.registry.known.borrow_mut().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::metrics::Metrics;

    #[tokio::test]
    async fn the_idlest_connection_makes_room_and_busy_ones_never_do() {
        let measures = ConnectionMeasures::for_listener(&Metrics::for_service("test"), "plain");
        let registry = Registry::bounded(2, measures, OpenConnections::default());
        let first = Registry::admit(&registry).expect("room");
        let second = Registry::admit(&registry).expect("room");
        first.touch();
        let third = Registry::admit(&registry).expect("the second is idle for longest");
        assert!(second.is_evicted() && !first.is_evicted());
        let _requests = (first.flow().answering(false).await, third.flow().answering(false).await);
        assert!(Registry::admit(&registry).is_err(), "both are being answered");
        drop(first);
        assert!(Registry::admit(&registry).is_ok());
    }
}
