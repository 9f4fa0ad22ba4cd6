//! A lane of the database that somebody is busy in.

use std::sync::{Mutex, mpsc};

use diesel::{RunQueryDsl as _, sql_query};
use shared_runtime::{on_each, state::db::LaneKey};

use crate::stage::Stage;

/// Holds a transaction in this lane while the work is done. Only PostgreSQL has several lanes.
pub async fn while_held(stage: &Stage, lane: LaneKey, work: impl Future<Output = ()>) {
    let (begin, has_begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let hold = stage.context.db.write_in(lane, move |conn| {
        // PostgreSQL would end an idle transaction after five seconds.
        on_each!(conn, |c| sql_query("SET LOCAL idle_in_transaction_session_timeout = 0").execute(c))?;
        begin.send(()).expect("the test waits");
        // Until the work is done, or the test ends.
        let _ = released.lock().expect("one transaction").recv();
        Ok(())
    });
    let work = async {
        tokio::task::spawn_blocking(move || has_begun.recv()).await.expect("a thread").expect("it has begun");
        work.await;
        drop(release);
    };
    // The caller of the transaction waits for nine seconds at most. It holds the lane until it is released.
    let _ = tokio::join!(hold, work);
}
