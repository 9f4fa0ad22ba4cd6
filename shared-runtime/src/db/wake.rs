//! How a deed that enqueues a job wakes the workers of this process: by a mark that is looked at when it is committed.

use std::cell::Cell;

use crate::{Conn, Halt};

thread_local! {
    static MARKED: Cell<bool> = const { Cell::new(false) };
}

/// Marks the deed that runs on this thread.
pub(crate) fn mark() {
    MARKED.set(true);
}

/// The deed, which also tells whether it was marked.
pub(super) fn watched<T>(
    deed: impl Fn(&mut Conn) -> Result<T, Halt> + Send + 'static,
) -> impl Fn(&mut Conn) -> Result<(T, bool), Halt> + Send + 'static {
    move |conn| {
        MARKED.set(false);
        let outcome = deed(conn)?;
        Ok((outcome, MARKED.take()))
    }
}
