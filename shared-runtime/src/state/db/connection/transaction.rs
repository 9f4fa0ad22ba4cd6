//! BEGIN, COMMIT, ROLLBACK and savepoints of write transactions.

use diesel::{
    connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _, TransactionManagerStatus},
    result::QueryResult,
};

use shared_model::{Error, Failure};

use super::conn::{Conn, ConnTransactions};

// When a statement has failed, PostgreSQL answers COMMIT with a silent rollback. SAVEPOINT fails in such a transaction,
// so the error shows before the commit.
const COMMIT: &str = "SAVEPOINT sound; COMMIT";

/// Runs `part` in a savepoint. A service uses the one of `db`, which also knows of appended rows.
pub fn savepoint<T, E: From<diesel::result::Error>>(
    conn: &mut Conn,
    part: impl FnOnce(&mut Conn) -> Result<T, E>,
) -> Result<T, E> {
    #[expect(clippy::disallowed_methods, reason = "inside a transaction it is a savepoint")]
    diesel::Connection::transaction(conn, part)
}

/// Runs a query with one snapshot of the database for all of its statements.
pub fn snapshot<T>(conn: &mut Conn, query: impl FnOnce(&mut Conn) -> Result<T, Error>) -> Result<T, Error> {
    let began = match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN"),
        Conn::Postgres(conn) => {
            AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
    };
    began.map_err(Failure::from)?;
    let found = query(conn);
    // Nothing is written that a commit would keep.
    roll_back(conn);
    found
}

/// Begins a write transaction. `postgres` is the whole statement for PostgreSQL, with the locks to take.
pub fn begin(conn: &mut Conn, postgres: &str) -> QueryResult<()> {
    match conn {
        // IMMEDIATE takes the write lock now. A deferred transaction may fail when it first writes, after its reads.
        Conn::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
        // The statement also waits for locks. When that wait fails, PostgreSQL has an open transaction that diesel does
        // not know of. Every later statement on this connection would fail.
        Conn::Postgres(conn) => AnsiTransactionManager::begin_transaction_sql(conn, postgres).inspect_err(|_| {
            if let Err(error) = conn.batch_execute("ROLLBACK") {
                tracing::debug!(%error, "a rollback failed");
            }
        }),
    }
}

/// After an error that is not of the connection, nothing is committed.
pub fn commit(conn: &mut Conn) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::commit_transaction(conn),
        Conn::Postgres(conn) => conn.batch_execute(COMMIT),
    }
}

/// When this fails, the connection is broken and its pool closes it.
pub fn roll_back(conn: &mut Conn) {
    if let Err(error) = unwind(conn, 0) {
        tracing::debug!(%error, "a rollback failed");
    }
}

pub fn set_savepoint(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("SAVEPOINT member")
}

/// Keeps the changes since the savepoint, and sets the next one.
pub fn release_savepoint(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("RELEASE member; SAVEPOINT member")
}

/// Undoes the changes since the savepoint, which stays set.
pub fn roll_back_to_savepoint(conn: &mut Conn) -> QueryResult<()> {
    unwind(conn, 1)?;
    conn.batch_execute("ROLLBACK TO member")
}

// diesel counts nested transactions. A panic may have left some open above `depth`; depth 0 also ends the transaction.
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
