//! The database, on SQLite and on PostgreSQL: [`Db::read`] runs queries, [`Db::write`] and [`Db::write_in`] run transactions.
//!
//! Executor threads take work from bounded queues. Writes that wait share a commit.
//!
//! The folders from low to high: `connection`, `schema`, `pool`, `work`, `executors`; `database.rs` puts them together.

mod connection;
mod database;
mod executors;
mod pool;
pub mod schema;
#[cfg(test)]
pub(crate) mod tests;
mod work;

pub use connection::{
    columns::columns,
    conn::{Conn, ROWS_PREPARED},
    prepared::{Prepared, prepared},
    wrong_database::WrongDatabase,
};
pub use database::{Db, METRICS};
pub use executors::lane::LaneKey;
pub use schema::{
    database_identity::DatabaseIdentity,
    migration::{Migration, Migrations},
};
pub use work::{
    appended::{Appended, append, savepoint},
    notifications::announce,
    tables,
};
pub(crate) use work::{idempotency_record, notifications};
