//! Bringing a database's schema up to date: the runtime's own tables first, then the service's. Whose database it is is asked
//! before anything is changed.

use std::time::Duration;

use diesel::{
    RunQueryDsl as _, connection::TransactionManager as _, migration::MigrationConnection as _, sql_types::Integer,
};
use shared_model::Failure;

use super::{
    address::Address,
    conn::{Conn, ConnTransactions},
    database_identity::{DatabaseIdentity, Standing},
    embedded::{applied, apply, version},
    side::Side,
    transaction,
};
use crate::on_each;

/// The names of the migrations that the database lacks. Changes nothing, so that a role that cannot may ask.
pub(super) fn pending(address: &Address, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    Ok(look(address, identity)?.1)
}

/// How the database stands to the service, and the names of the migrations that it lacks. What only the database has is
/// of a newer release, which goes on running beside this one.
fn look(address: &Address, identity: &DatabaseIdentity) -> Result<(Standing, Vec<String>), Failure> {
    let (standing, applied) = match address.look()? {
        Some(mut conn) => (identity.standing(&mut conn)?, applied(&mut conn)?),
        None => (Standing::Unclaimed, Vec::new()),
    };
    let all: Vec<(String, String)> = match address {
        Address::Sqlite(_) => {
            identity.migrations.for_sqlite()?.iter().map(|one| (version(&**one), one.name().to_string())).collect()
        }
        Address::Postgres(_) => {
            identity.migrations.for_postgres()?.iter().map(|one| (version(&**one), one.name().to_string())).collect()
        }
    };
    let lacking = all.into_iter().filter(|(version, _)| !applied.contains(version)).map(|(_, name)| name);
    Ok((standing, lacking.collect()))
}

/// Runs the migrations that the database lacks; their names. Any number of processes may do so at once.
pub(super) fn run(address: &Address, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    let (standing, lacking) = look(address, identity)?;
    if standing == Standing::Own && lacking.is_empty() {
        return Ok(lacking);
    }
    let mut conn = address.connect(Side::Migrate)?;
    if let Address::Sqlite(_) = address {
        return in_transaction(&mut conn, |conn| Ok([claim(conn, identity)?, run_lacking(conn, identity)?].concat()));
    }
    // The lock ends with the session. Each migration is a transaction of its own, for some cannot run in one with others;
    // but the first is one with the row that says whose database this is.
    lock(&mut conn)?;
    let first = in_transaction(&mut conn, |conn| claim(conn, identity))?;
    Ok([first, run_lacking(&mut conn, identity)?].concat())
}

/// Makes the database the service's own, unless it is so already. The names of the migrations that this took.
fn claim(conn: &mut Conn, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    // Another process may have been faster.
    let standing = identity.standing(conn)?;
    let applied = applied(conn)?;
    on_each!(conn, |c| c.setup())?;
    let ran = run_those(conn, identity, |version| {
        version == DatabaseIdentity::VERSION && !applied.iter().any(|one| one == version)
    })?;
    identity.record(conn, standing)?;
    Ok(ran)
}

fn run_lacking(conn: &mut Conn, identity: &DatabaseIdentity) -> Result<Vec<String>, Failure> {
    let applied = applied(conn)?;
    run_those(conn, identity, |version| !applied.iter().any(|one| one == version))
}

fn run_those(
    conn: &mut Conn,
    identity: &DatabaseIdentity,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    match conn {
        Conn::Sqlite(conn) => apply(conn, identity.migrations.for_sqlite()?, is_wanted),
        Conn::Postgres(conn) => apply(conn, identity.migrations.for_postgres()?, is_wanted),
    }
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

/// `FOUR` in ASCII: any number would do that nobody else locks.
const LOCK: i32 = 0x464f_5552;
const LOCK_TRIES: u32 = 600;

/// Takes the advisory lock. It asks again and again rather than waits: a waiting statement would keep a concurrent
/// index build of the other process from ending.
fn lock(conn: &mut Conn) -> Result<(), Failure> {
    let Conn::Postgres(conn) = conn else { return Ok(()) };
    diesel::define_sql_function! { fn pg_try_advisory_lock(space: Integer, lock: Integer) -> diesel::sql_types::Bool; }
    for _ in 0..LOCK_TRIES {
        if diesel::select(pg_try_advisory_lock(LOCK, 1)).get_result(conn)? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(Failure::unavailable("another process migrates the database and does not end"))
}
