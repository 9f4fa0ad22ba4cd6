//! Notifications of this process after a commit: a job was enqueued, or a topic has changed.

use std::cell::{Cell, RefCell};

// Thread-local, because a transaction runs on one thread from beginning to end, and its closure gets nothing but a connection.
thread_local! {
    static HAS_ENQUEUED: Cell<bool> = const { Cell::new(false) };
    static TOPICS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// Wakes the job workers of this process after the transaction on this thread is committed.
pub(crate) fn mark_enqueued() {
    HAS_ENQUEUED.set(true);
}

/// Tells the listeners of [`Db::announcements`](crate::state::db::Db::announcements) after the transaction on this thread is
/// committed that this topic, for instance a workspace, has changed. Only listeners in this process learn of it.
pub fn announce(topic: i64) {
    TOPICS.with_borrow_mut(|topics| {
        if topics.last() != Some(&topic) {
            topics.push(topic);
        }
    });
}

#[derive(Debug, Default)]
pub struct Notifications {
    pub has_enqueued: bool,
    pub topics: Vec<i64>,
}

/// Forgets what a transaction that failed on this thread may have left.
pub fn clear() {
    HAS_ENQUEUED.set(false);
    TOPICS.with_borrow_mut(Vec::clear);
}

/// What to send after the commit of the transaction that ran on this thread.
pub fn take() -> Notifications {
    Notifications { has_enqueued: HAS_ENQUEUED.take(), topics: TOPICS.take() }
}
