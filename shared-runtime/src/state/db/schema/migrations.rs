//! Brings a database's schema up to date, after checking which service owns the database.

use std::time::Duration;

use diesel::{
    RunQueryDsl as _, connection::TransactionManager as _, migration::MigrationConnection as _, sql_types::Integer,
};
use shared_model::Failure;

use super::{
    database_identity::{DatabaseIdentity, Ownership},
    migration::{Migration, applied},
};
use crate::{
    on_each,
    state::db::connection::{
        address::Address,
        conn::{Conn, ConnTransactions},
        connection_mode::ConnectionMode,
        transaction,
    },
};

/// The names of the migrations that the database lacks. Needs only the right to read.
pub fn pending(address: &Address, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    Ok(inspect(address, identity)?.1)
}

fn inspect(address: &Address, identity: &DatabaseIdentity) -> Result<(Ownership, Vec<String>), Failure> {
    let (ownership, applied) = match address.inspect()? {
        Some(mut conn) => (identity.ownership(&mut conn)?, applied(&mut conn)?),
        None => (Ownership::Unclaimed, Vec::new()),
    };
    // Versions that only the database has are from a newer release, which keeps running next to this one.
    Ok((ownership, lacking(identity, &applied).map(|migration| migration.name()).collect()))
}

fn lacking(identity: &DatabaseIdentity, applied: &[String]) -> impl Iterator<Item = Migration> {
    identity.migrations.all().into_iter().filter(|migration| !applied.contains(&migration.version()))
}

/// Runs the migrations that the database lacks and returns their names. Several processes may call it at once.
pub fn run(address: &Address, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    let (ownership, lacking) = inspect(address, identity)?;
    if ownership == Ownership::Own && lacking.is_empty() {
        return Ok(lacking);
    }
    let mut conn = address.connect(ConnectionMode::Migrate)?;
    if let Address::Sqlite(path) = address {
        let ran =
            in_transaction(&mut conn, |conn| Ok([claim(conn, identity)?, run_lacking(conn, identity, None)?].concat()));
        return ran.map_err(|failure| {
            let what = format!("the SQLite database {} was not migrated: {failure}", path.display());
            failure.about(what)
        });
    }
    // The lock ends with the session. On PostgreSQL each migration is its own transaction, so that a failure keeps those
    // before it. The first one also writes the owner: a database with tables always has one.
    lock(&mut conn)?;
    let first = in_transaction(&mut conn, |conn| claim(conn, identity))?;
    Ok([first, run_lacking(&mut conn, identity, None)?].concat())
}

/// Makes the database the service's own. Returns the names of the migrations that it ran for that.
fn claim(conn: &mut Conn, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    // Read again under the lock: another process may have been faster.
    let ownership = identity.ownership(conn)?;
    on_each!(conn, |c| c.setup())?;
    let ran = run_lacking(conn, identity, Some(DatabaseIdentity::VERSION))?;
    identity.record(conn, ownership)?;
    Ok(ran)
}

fn run_lacking(conn: &mut Conn, identity: &DatabaseIdentity, only: Option<&str>) -> Result<Vec<String>, Failure> {
    let applied = applied(conn)?;
    let mut ran = Vec::new();
    for migration in lacking(identity, &applied).filter(|one| only.is_none_or(|version| one.version() == version)) {
        let name = migration.name();
        migration.run(conn).map_err(|error| Failure::fault(format!("migration {name}")).from_source(error))?;
        ran.push(name);
    }
    Ok(ran)
}

fn in_transaction<T>(conn: &mut Conn, work: impl FnOnce(&mut Conn) -> Result<T, Failure>) -> Result<T, Failure> {
    transaction::begin(conn, "BEGIN")?;
    let outcome = work(conn);
    match &outcome {
        Ok(_) => ConnTransactions::commit_transaction(conn)?,
        Err(_) => transaction::roll_back(conn),
    }
    outcome
}

/// `FOUR` in ASCII. Any number works that no other program locks.
const LOCK: i32 = 0x464f_5552;
const LOCK_ATTEMPTS: u32 = 600;

// Polls instead of waiting. A statement that waits holds a snapshot, and CREATE INDEX CONCURRENTLY in the other process
// waits for old snapshots.
fn lock(conn: &mut Conn) -> Result<(), Failure> {
    let Conn::Postgres(conn) = conn else { return Ok(()) };
    diesel::define_sql_function! { fn pg_try_advisory_lock(space: Integer, lock: Integer) -> diesel::sql_types::Bool; }
    for _ in 0..LOCK_ATTEMPTS {
        if diesel::select(pg_try_advisory_lock(LOCK, 1)).get_result(conn)? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(Failure::unavailable("another process has been migrating the database for a minute"))
}
