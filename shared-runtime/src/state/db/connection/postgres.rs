//! How a PostgreSQL session is set up.

use std::{thread, time::Duration};

use diesel::{
    Connection as _, PgConnection, RunQueryDsl as _, connection::SimpleConnection as _, dsl::sql, result::QueryResult,
    sql_types::Bool,
};
use shared_model::Failure;

use super::{conn::Conn, connection_mode::ConnectionMode};

pub fn connect(url: &str, mode: ConnectionMode) -> Result<Conn, Failure> {
    let mut conn = establish(url)?;
    conn.batch_execute(match mode {
        ConnectionMode::Read | ConnectionMode::Write => {
            // Read-only by default: only `Lane::begin` starts a transaction that may write, so a write outside of one
            // is an error. JIT off: our statements are short, and compiling a search took longer (150 ms) than running
            // it. One generic plan per statement, without sequential scans. Every statement is written for an index,
            // and planning a page of files costs 0.3 ms. A plan made for a small table reads all of it after it has
            // grown. Publishing to a young log was four times slower. No parallel workers: to start one takes longer
            // than our statements run, so a small query took 9 to 25 ms. The timeouts end statements and locks of a
            // process that hangs. The lock keeps the secret as it is until the session ends; lanes have other numbers.
            "SET default_transaction_read_only = on; SET jit = off; SET plan_cache_mode = force_generic_plan; \
             SET enable_seqscan = off; SET max_parallel_workers_per_gather = 0; SET statement_timeout = '8s'; \
             SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '5s'; \
             SELECT pg_advisory_lock_shared(hashtext(current_schema()), -1)"
        }
        ConnectionMode::Inspect => "SET default_transaction_read_only = on; SET lock_timeout = '10s'",
        // Less than the sessions of a service wait: their writes queue behind a migration that waits for its lock.
        ConnectionMode::Migrate => "SET lock_timeout = '3s'",
    })?;
    Ok(Conn::Postgres(conn))
}

/// Lets no process open a session until the transaction ends. False if one has a session now.
pub fn lock_out_sessions(conn: &mut PgConnection) -> QueryResult<bool> {
    // The server may notice a little late that a process has ended.
    for _ in 0..20 {
        let lock = sql::<Bool>("pg_try_advisory_xact_lock(hashtext(current_schema()), -1)");
        if diesel::select(lock).get_result(conn)? {
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(false)
}

fn establish(url: &str) -> Result<PgConnection, Failure> {
    PgConnection::establish(url).map_err(|error| Failure::unavailable("connecting to PostgreSQL").from_source(error))
}
