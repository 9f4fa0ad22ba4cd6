//! PostgreSQL: how a session is set up.

use diesel::{Connection as _, PgConnection, connection::SimpleConnection as _};
use shared_model::Failure;

use super::{conn::Conn, side::Side};

/// Opens a session in which a statement that writes is an error outside of a transaction that is begun as one that
/// writes. A process that stops in the middle of a transaction does not keep its locks for long. No statement is compiled:
/// they are short, and where the planner takes one for long, compiling it takes longer than running it (150 ms for a search).
///
/// Every statement is planned once for a session, whatever its values are, and for tables of any size: each is written for an
/// index, planning takes longer than running (0.3 ms for a page of files), and the plan that is best for a table of a few
/// rows reads all of it when it has grown (publishing on a new log came to a quarter of what it does on a log of a million).
pub(super) fn connect(url: &str, side: Side) -> Result<Conn, Failure> {
    let mut conn = establish(url)?;
    conn.batch_execute(match side {
        Side::Read | Side::Write => {
            "SET default_transaction_read_only = on; SET jit = off; SET plan_cache_mode = force_generic_plan; \
             SET enable_seqscan = off; SET statement_timeout = '8s'; SET lock_timeout = '5s'; \
             SET idle_in_transaction_session_timeout = '5s'"
        }
        Side::Look => "SET default_transaction_read_only = on; SET lock_timeout = '10s'",
        Side::Migrate => "SET lock_timeout = '10s'",
    })?;
    Ok(Conn::Postgres(conn))
}

fn establish(url: &str) -> Result<PgConnection, Failure> {
    PgConnection::establish(url).map_err(|error| Failure::unavailable("connecting to PostgreSQL").from_source(error))
}
