//! What is told in this process once a transaction is committed: that it has enqueued a job, and which topics it has news of.

use std::cell::{Cell, RefCell};

use shared_model::Error;

use crate::state::db::Conn;

thread_local! {
    static HAS_ENQUEUED: Cell<bool> = const { Cell::new(false) };
    static TOPICS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// Wakes the workers of this process when the transaction that runs on this thread is committed.
pub(crate) fn mark() {
    HAS_ENQUEUED.set(true);
}

/// Tells whoever listens to [`super::Db::news`] that there is news of this topic (a workspace, say), when the transaction that
/// runs on this thread is committed. Other processes are not told.
pub fn announce(topic: i64) {
    TOPICS.with_borrow_mut(|topics| {
        if topics.last() != Some(&topic) {
            topics.push(topic);
        }
    });
}

/// What a transaction wants told.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) has_enqueued: bool,
    pub(super) topics: Vec<i64>,
}

/// The transaction, which also says what it wants told.
pub(super) fn watched<T>(
    transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
) -> impl Fn(&mut Conn) -> Result<(T, Told), Error> + Send + 'static {
    move |conn| {
        // What a transaction that failed has left.
        HAS_ENQUEUED.set(false);
        TOPICS.with_borrow_mut(Vec::clear);
        let outcome = transaction(conn)?;
        Ok((outcome, Told { has_enqueued: HAS_ENQUEUED.take(), topics: TOPICS.take() }))
    }
}
