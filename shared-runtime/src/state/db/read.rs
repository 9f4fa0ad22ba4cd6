//! Queries: each on a connection of the read side, outside of any transaction.

use super::{
    pool::{Pool, discard},
    queue::Arrivals,
    work::{QueuedWork, RunOutcome},
};

/// An executor thread of the read side: works until it is told to stop or nobody can ask any more.
pub(super) fn execute(pool: &Pool, mut arrivals: Arrivals) {
    while let Some(mut query) = arrivals.wait() {
        run(pool, &mut *query);
        query.answer();
    }
}

/// Runs the query, and once more when its connection broke under it.
fn run(pool: &Pool, query: &mut dyn QueuedWork) {
    let mut connection = pool.get();
    for is_last in [false, true] {
        let mut conn = match connection {
            Ok(conn) => conn,
            Err(failure) => return query.fail_with(failure),
        };
        match query.run(&mut conn) {
            RunOutcome::Panicked => return discard(conn),
            RunOutcome::ConnectionLost => discard(conn),
            RunOutcome::Succeeded | RunOutcome::Failed | RunOutcome::Conflict => return,
        }
        if is_last {
            return;
        }
        connection = pool.get_new();
    }
}
