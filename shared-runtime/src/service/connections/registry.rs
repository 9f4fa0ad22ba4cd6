//! The connections of one worker: at most so many, and the one that is idle for longest makes room for a new one.

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

/// What is known of a connection.
struct Known {
    /// When it last read or sent something.
    active_at: Cell<Instant>,
    /// It has asked for nothing that is not answered.
    is_idle: Cell<bool>,
    is_evicted: Cell<bool>,
    /// Of the task that waits for its next request.
    waker: RefCell<Option<Waker>>,
}

/// The connections of one worker on one listener.
pub(super) struct Registry {
    bound: usize,
    measures: ConnectionMeasures,
    open: OpenConnections,
    known: RefCell<HashMap<u64, Rc<Known>>>,
    next: Cell<u64>,
}

impl Registry {
    /// For at most so many.
    pub(super) fn bounded(bound: usize, measures: ConnectionMeasures, open: OpenConnections) -> Rc<Self> {
        Rc::new(Self { bound, measures, open, known: RefCell::default(), next: Cell::new(0) })
    }

    /// Takes in a new connection. Beyond the bound the one that is idle for longest is hung up on; when none is idle the new
    /// one is, before anything of it is read, so that it can safely be tried again.
    pub(super) fn admit(registry: &Rc<Self>) -> Result<Entry, DispatchError> {
        let mut known = registry.known.borrow_mut();
        let is_full = || known.values().filter(|known| !known.is_evicted.get()).count() >= registry.bound;
        if known.len() >= registry.bound && is_full() {
            let idle = known.values().filter(|known| known.is_idle.get() && !known.is_evicted.get());
            let Some(idlest) = idle.min_by_key(|known| known.active_at.get()) else {
                registry.measures.refused.increment(1);
                return Err(refused("all connections are busy"));
            };
            registry.measures.evicted.increment(1);
            idlest.evict();
        }
        let number = registry.next.replace(registry.next.get() + 1);
        let new = Rc::new(Known {
            active_at: Cell::new(Instant::now()),
            is_idle: Cell::new(true),
            is_evicted: Cell::new(false),
            waker: RefCell::new(None),
        });
        known.insert(number, Rc::clone(&new));
        let open = registry.open.one_more(&registry.measures.open);
        Ok(Entry { registry: Rc::clone(registry), number, known: new, _open: open })
    }
}

impl Known {
    fn evict(&self) {
        self.is_evicted.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// A connection's place in the registry, given back when it is dropped.
pub(super) struct Entry {
    registry: Rc<Registry>,
    number: u64,
    known: Rc<Known>,
    _open: OpenConnection,
}

impl Entry {
    pub(super) fn is_evicted(&self) -> bool {
        self.known.is_evicted.get()
    }

    /// It has sent something.
    pub(super) fn has_read(&self, bytes: usize) {
        self.known.active_at.set(Instant::now());
        if bytes > 0 {
            self.known.is_idle.set(false);
        }
    }

    /// It has taken all that was sent to it.
    pub(super) fn has_written(&self) {
        self.known.active_at.set(Instant::now());
        self.known.is_idle.set(true);
    }

    /// There is nothing to read.
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

    #[test]
    fn the_idlest_makes_room_and_the_busy_never() {
        let measures = ConnectionMeasures::of(&Metrics::of("test"), "plain");
        let registry = Registry::bounded(2, measures, OpenConnections::default());
        let first = Registry::admit(&registry).expect("room");
        let second = Registry::admit(&registry).expect("room");
        first.has_written();
        let third = Registry::admit(&registry).expect("the second is idle for longest");
        assert!(second.is_evicted() && !first.is_evicted());
        first.has_read(1);
        third.has_read(1);
        assert!(Registry::admit(&registry).is_err(), "both are being answered");
        drop(first);
        assert!(Registry::admit(&registry).is_ok());
    }
}
