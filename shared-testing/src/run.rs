//! Runs a test: an actix system around it, and what its stages leave behind cleared away after it, panic or not.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
};

type Cleanup = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    static CLEANUPS: RefCell<Option<Vec<Cleanup>>> = const { RefCell::new(None) };
}

/// Runs the test. Stages live only inside; each is stopped and its database dropped when the test has ended.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let system = actix_web::rt::System::new();
    CLEANUPS.with_borrow_mut(|queue| *queue = Some(Vec::new()));
    let outcome = catch_unwind(AssertUnwindSafe(|| system.block_on(test)));
    let queue = CLEANUPS.with_borrow_mut(Option::take).unwrap_or_default();
    system.block_on(async {
        for cleanup in queue {
            cleanup.await;
        }
    });
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Runs this when the test has ended; `false` outside of [`run`].
pub(crate) fn add_cleanup(cleanup: impl Future<Output = ()> + 'static) -> bool {
    CLEANUPS.with_borrow_mut(|queue| match queue {
        Some(queue) => {
            queue.push(Box::pin(cleanup));
            true
        }
        None => false,
    })
}
