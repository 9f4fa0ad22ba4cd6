//! Deletes expired rows in batches, in the background.

use std::time::Duration;

use futures_util::future::BoxFuture;
use rand::RngExt as _;
use shared_model::{Error, Failure, Timestamp};
use tokio::task::JoinHandle;

use crate::{
    base::clock::Clock,
    state::db::{Conn, Db},
};

// Small batches, so that other writes do not wait long.
const BATCH: i64 = 500;

/// Rows that expire. A service lists those of its own tables in its `sweeps`; the runtime's are always swept.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    pub name: &'static str,
    /// Deletes at most `limit` rows that have expired at `now`, in a write transaction; returns their number.
    pub delete_batch: fn(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure>,
}

impl Sweep {
    /// Deletes all expired rows, one batch per transaction; returns their number.
    pub async fn run(self, db: &Db, now: Timestamp) -> Result<usize, Error> {
        let mut rows = 0;
        loop {
            let deleted = db.write(move |conn| Ok((self.delete_batch)(conn, now, BATCH)?)).await?;
            rows += deleted;
            if i64::try_from(deleted).is_ok_and(|deleted| deleted < BATCH) {
                return Ok(rows);
            }
        }
    }
}

/// Removes data outside of the database that no row refers to.
pub struct Removal {
    pub name: &'static str,
    /// Returns how many were removed.
    pub run: Box<dyn Fn() -> BoxFuture<'static, Result<u64, Error>> + Send>,
}

/// Runs the sweeps every two to six minutes until the database is closed.
pub fn spawn(db: Db, clock: Clock, sweeps: Vec<Sweep>, removal: Option<Removal>) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            // Random, so that replicas do not sweep at the same time.
            let seconds = rand::rng().random_range(120..=360);
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            for sweep in &sweeps {
                if db.is_closed() {
                    return;
                }
                log(sweep.name, sweep.run(&db, clock.now()).await);
            }
            if let Some(Removal { name, run }) = &removal {
                if db.is_closed() {
                    return;
                }
                log(name, run().await);
            }
        }
    })
}

fn log<T: std::fmt::Debug>(name: &str, outcome: Result<T, Error>) {
    match outcome {
        Ok(count) => tracing::debug!(?count, "swept {name}"),
        Err(error) if error.is_already_logged() => tracing::debug!(?error, "sweeping {name} failed"),
        Err(error) => tracing::warn!(?error, "sweeping {name} failed"),
    }
}
