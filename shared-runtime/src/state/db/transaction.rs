//! The statements around transactions that write, on either database.

use diesel::{
    connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _, TransactionManagerStatus},
    result::QueryResult,
};

use super::conn::{Conn, ConnTransactions};

/// PostgreSQL answers the COMMIT of a transaction in which a statement had failed with a quiet rollback; a savepoint
/// cannot be set in such a transaction, so that the statement ends with an error before its COMMIT.
const COMMIT: &str = "SAVEPOINT sound; COMMIT";

/// Begins a transaction: on SQLite as the one that may write, on PostgreSQL by this statement.
pub(super) fn begin(conn: &mut Conn, postgres: &str) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
        // The statement also waits for a lock. Where that is what failed a transaction is open, which diesel knows nothing of; left so,
        // it would fail all that this connection is asked from then on.
        Conn::Postgres(conn) => AnsiTransactionManager::begin_transaction_sql(conn, postgres).inspect_err(|_| {
            if let Err(error) = conn.batch_execute("ROLLBACK") {
                tracing::debug!(%error, "a rollback failed");
            }
        }),
    }
}

/// Commits. An error other than of the connection means that nothing is committed.
pub(super) fn commit(conn: &mut Conn) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::commit_transaction(conn),
        Conn::Postgres(conn) => conn.batch_execute(COMMIT),
    }
}

/// Undoes all of it. If that fails the connection is broken, and its pool closes it.
pub(super) fn roll_back(conn: &mut Conn) {
    if let Err(error) = unwind(conn, 0) {
        tracing::debug!(%error, "a rollback failed");
    }
}

/// Sets the savepoint that belongs to one member of a batch.
pub(super) fn savepoint(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("SAVEPOINT member")
}

/// Keeps what was done since the savepoint, and sets it anew.
pub(super) fn keep(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("RELEASE member; SAVEPOINT member")
}

/// Undoes what was done since the savepoint, which stays.
pub(super) fn undo(conn: &mut Conn) -> QueryResult<()> {
    unwind(conn, 1)?;
    conn.batch_execute("ROLLBACK TO member")
}

/// Leaves diesel's own levels above `depth`: those that a panic left open, and at 0 the transaction itself.
fn unwind(conn: &mut Conn, depth: u32) -> QueryResult<()> {
    loop {
        let present = match ConnTransactions::transaction_manager_status_mut(conn) {
            TransactionManagerStatus::Valid(status) => status.transaction_depth().map_or(0, std::num::NonZero::get),
            TransactionManagerStatus::InError => return Err(diesel::result::Error::BrokenTransactionManager),
        };
        if present <= depth {
            return Ok(());
        }
        ConnTransactions::rollback_transaction(conn)?;
    }
}
