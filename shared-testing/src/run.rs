//! Runs a test: an actix system around it, and what its stages leave behind cleared away after it, panic or not.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
};

type Clearing = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    static AFTERWARDS: RefCell<Option<Vec<Clearing>>> = const { RefCell::new(None) };
}

/// Runs the test. Stages live only inside; each is stopped and its database dropped when the test has ended.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let system = actix_web::rt::System::new();
    AFTERWARDS.with_borrow_mut(|queue| *queue = Some(Vec::new()));
    let outcome = catch_unwind(AssertUnwindSafe(|| system.block_on(test)));
    let queue = AFTERWARDS.with_borrow_mut(Option::take).unwrap_or_default();
    system.block_on(async {
        for clearing in queue {
            clearing.await;
        }
    });
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Has this done when the test has ended. Says whether we are inside [`run`] at all.
pub(crate) fn afterwards(clearing: impl Future<Output = ()> + 'static) -> bool {
    AFTERWARDS.with_borrow_mut(|queue| match queue {
        Some(queue) => {
            queue.push(Box::pin(clearing));
            true
        }
        None => false,
    })
}
