//! Queries of a few rows, on the thread of their caller.

use std::panic::{AssertUnwindSafe, catch_unwind};

use shared_model::Error;

use crate::{
    base::telemetry::Stopwatch,
    state::db::{
        Conn,
        pool::{
            connection_pool::{Pool, discard},
            side_state::SideState,
        },
    },
};

pub struct LookUps {
    pool: Pool,
    side: SideState,
}

impl LookUps {
    pub fn new(pool: Pool, side: SideState) -> Self {
        Self { pool, side }
    }

    /// `None` if no connection is idle or the query failed. A reader thread then runs it, again: it can wait for a
    /// connection, make a new one, and tell an outage.
    pub fn run<T>(&self, query: &impl Fn(&mut Conn) -> Result<T, Error>) -> Option<Result<T, Error>> {
        let mut conn = self.pool.idle()?;
        let started = Stopwatch::start();
        let Ok(found) = catch_unwind(AssertUnwindSafe(|| query(&mut conn))) else {
            discard(conn);
            return None;
        };
        if matches!(found, Err(Error::Failed(_))) {
            return None;
        }
        if let Some(measures) = self.side.measures() {
            measures.work.record(started.elapsed());
        }
        self.side.answered();
        Some(found)
    }
}
