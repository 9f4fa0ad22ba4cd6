//! The reader threads. Each query runs on its own connection, outside of a transaction.

use crate::state::db::{
    pool::connection_pool::{Pool, discard},
    work::{
        queue::WorkReceiver,
        queued_work::{QueuedWork, RunOutcome},
    },
};

pub fn execute(pool: &Pool, mut receiver: WorkReceiver) {
    while let Some(mut query) = receiver.recv() {
        run(pool, &mut query);
        query.answer();
    }
}

// Runs the query, and a second time when its connection breaks.
fn run(pool: &Pool, query: &mut QueuedWork) {
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
        // Not any idle connection: those are as old as the one that broke.
        connection = pool.get_new();
    }
}
