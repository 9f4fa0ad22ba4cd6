//! Connections: addresses, sessions, transactions, prepared statements.

pub mod address;
pub mod columns;
pub mod conn;
pub mod connection_mode;
pub mod postgres;
pub mod prepared;
pub mod serving_lock;
pub mod sqlite;
pub mod sqlite_file;
pub mod transaction;
pub mod wrong_database;
