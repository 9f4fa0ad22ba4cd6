//! Runs a test in an actix system and cleans up after it, even if it panics.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
};

type Cleanup = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    static CLEANUPS: RefCell<Option<Vec<Cleanup>>> = const { RefCell::new(None) };
}

/// Runs the test. Afterwards stops its stages and drops their databases.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let system = actix_web::rt::System::new();
    CLEANUPS.with_borrow_mut(|queue| *queue = Some(Vec::new()));
    // Cleanup needs the actix system, so it cannot run in `Drop` after a panic.
    let outcome = catch_unwind(AssertUnwindSafe(|| system.block_on(test)));
    let queue = CLEANUPS.with_borrow_mut(Option::take).unwrap_or_default();
    system.block_on(async {
        for cleanup in queue {
            cleanup.await;
        }
    });
    // After the cleanup, so that a failed test leaves no database behind.
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Registers cleanup for the end of the test; `false` outside of [`run`].
pub(crate) fn add_cleanup(cleanup: impl Future<Output = ()> + 'static) -> bool {
    CLEANUPS.with_borrow_mut(|queue| match queue {
        Some(queue) => {
            queue.push(Box::pin(cleanup));
            true
        }
        None => false,
    })
}
