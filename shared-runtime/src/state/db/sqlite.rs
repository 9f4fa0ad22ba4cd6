//! SQLite: how a connection is set up.

use std::{fs::OpenOptions, io::ErrorKind, os::unix::fs::OpenOptionsExt as _, path::Path};

use diesel::{Connection as _, QueryResult, SqliteConnection, connection::SimpleConnection as _};
use shared_model::Failure;

use super::{conn::Conn, side::Side};

/// Opens the database; the writing side makes the file, for the owner alone, where there is none. Its folder must be there: a
/// volume that is not mounted would look like a fresh start.
pub(super) fn connect(path: &Path, side: Side) -> Result<Conn, Failure> {
    let pragmas = match side {
        Side::Read => READ,
        Side::Look => LOOK,
        Side::Write | Side::Migrate => {
            create(path).map_err(|error| Failure::fault(format!("the file {}", path.display())).from_source(error))?;
            WRITE
        }
    };
    let text = path.to_str().ok_or_else(|| Failure::fault("the path of the SQLite database must be UTF-8"))?;
    let mut conn = SqliteConnection::establish(text)
        .map_err(|error| Failure::unavailable(format!("opening {}", path.display())).from_source(error))?;
    for pragma in COMMON.iter().chain(pragmas) {
        conn.batch_execute(&format!("PRAGMA {pragma}"))?;
    }
    Ok(Conn::Sqlite(conn))
}

/// `busy_timeout` is first, for the others may meet a lock.
const COMMON: &[&str] = &["busy_timeout = 5000", "foreign_keys = ON", "temp_store = MEMORY"];
/// The cache holds the inner pages of a table of a million rows; its leaves are the kernel's to keep.
const READ: &[&str] = &["query_only = ON", "cache_size = -2000"];
const LOOK: &[&str] = &["query_only = ON"];
/// A commit is on the disk before it is answered (`FULL`); the log is copied into the file every 64 MiB.
const WRITE: &[&str] = &[
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 16000",
    "journal_size_limit = 67108864",
    "cache_size = -4000",
];

fn create(path: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Copies the write-ahead log into the database's file, so that no other file is left of it.
pub(super) fn checkpoint(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")
}
