//! The database as services use it: on SQLite, and on PostgreSQL when `TEST_POSTGRES_URL` is set.

mod appended;
mod batches;
mod durability;
pub(crate) mod fresh;
mod identities;
pub(crate) mod log;
mod look_ups;
mod migrating;
mod outages;
mod races;

use diesel::{QueryDsl as _, RunQueryDsl as _, prelude::*};
use shared_model::{Error, Secret};

use crate::state::db::{Conn, DatabaseIdentity, Migrations};

diesel::table! {
    counters (id) {
        id -> BigInt,
        value -> BigInt,
    }
}

/// For a service without tables.
pub(crate) fn identity() -> DatabaseIdentity {
    DatabaseIdentity::new("test", &Secret::from_bytes([7; 32]), Migrations::NONE)
}

/// Inserts a counter.
fn insert(conn: &mut Conn, id: i64) -> Result<(), Error> {
    diesel::insert_into(counters::table).values((counters::id.eq(id), counters::value.eq(0))).execute(conn)?;
    Ok(())
}

/// Reads a counter, then writes it plus one.
fn increment(conn: &mut Conn, id: i64) -> Result<i64, Error> {
    let value: i64 = counters::table.find(id).select(counters::value).first(conn)?;
    diesel::update(counters::table.find(id)).set(counters::value.eq(value + 1)).execute(conn)?;
    Ok(value + 1)
}

/// All ids of counters.
pub(crate) fn ids(conn: &mut Conn) -> Result<Vec<i64>, Error> {
    Ok(counters::table.select(counters::id).order(counters::id).load(conn)?)
}
