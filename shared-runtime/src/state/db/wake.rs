//! How a transaction that enqueues a job wakes the workers of this process: by a mark that is looked at when it is committed.

use std::cell::Cell;

use shared_model::Error;

use crate::state::db::Conn;

thread_local! {
    static MARKED: Cell<bool> = const { Cell::new(false) };
}

/// Marks the transaction that runs on this thread.
pub(crate) fn mark() {
    MARKED.set(true);
}

/// The transaction, which also tells whether it was marked.
pub(super) fn watched<T>(
    transaction: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
) -> impl Fn(&mut Conn) -> Result<(T, bool), Error> + Send + 'static {
    move |conn| {
        MARKED.set(false);
        let outcome = transaction(conn)?;
        Ok((outcome, MARKED.take()))
    }
}
