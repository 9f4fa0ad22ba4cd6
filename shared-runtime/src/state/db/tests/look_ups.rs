//! Look-ups: where they run, and how they fail.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use shared_model::{Error, code, failure::Kind};

use super::{fresh::Fresh, ids, insert};

#[tokio::test]
async fn a_look_up_runs_on_the_thread_of_its_caller_only_on_sqlite() {
    let fresh = Fresh::new(1).await;
    // The first one has no connection yet: a reader thread makes it.
    assert_ne!(fresh.db.look_up(|_| Ok(thread::current().id())).await.expect("a thread"), thread::current().id());
    let ran_on = fresh.db.look_up(|_| Ok(thread::current().id())).await.expect("a thread");
    assert_eq!(ran_on == thread::current().id(), fresh.url.starts_with("sqlite:"));
}

#[tokio::test]
async fn a_refused_look_up_runs_once_and_a_broken_one_spoils_no_other() {
    let fresh = Fresh::new(2).await;
    fresh.db.write(|conn| insert(conn, 7)).await.expect("a row");
    assert_eq!(fresh.db.look_up(ids).await.expect("ids"), [7]);

    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let refused = fresh.db.look_up(move |_| -> Result<(), Error> {
        counted.fetch_add(1, Ordering::SeqCst);
        Err(code::NOT_FOUND.refusal().into())
    });
    assert!(matches!(refused.await, Err(Error::Refused(refusal)) if refusal.code == &code::NOT_FOUND));
    assert_eq!(runs.load(Ordering::SeqCst), 1);

    let panicked = fresh.db.look_up(|_| -> Result<(), Error> { panic!("in a look-up") }).await;
    assert!(matches!(panicked, Err(Error::Failed(failure)) if failure.kind() == Kind::Fault));
    assert!(matches!(fresh.db.look_up(|conn| insert(conn, 8)).await, Err(Error::Failed(_))), "it can only read");
    fresh.break_connections();
    assert_eq!(fresh.db.look_up(ids).await.expect("ids"), [7]);

    fresh.db.close().await;
    assert!(matches!(fresh.db.look_up(ids).await, Err(Error::Failed(failure)) if failure.kind() == Kind::Unavailable));
}
