//! How a SQLite connection is set up.

use std::{fs::OpenOptions, io::ErrorKind, os::unix::fs::OpenOptionsExt as _, path::Path};

use diesel::{
    Connection as _, QueryResult, QueryableByName, RunQueryDsl as _, SqliteConnection,
    connection::SimpleConnection as _, sql_query, sql_types::BigInt,
};
use rustix::{
    fs::{Access, access},
    io::Errno,
};
use shared_model::Failure;

use super::{conn::Conn, connection_mode::ConnectionMode};
use crate::on_each;

/// Opens the database. Write modes create the file (mode 0600), but never its folder. A volume that is not mounted must
/// not look like a new database.
pub fn connect(path: &Path, mode: ConnectionMode) -> Result<Conn, Failure> {
    let pragmas = match mode {
        ConnectionMode::Read => READ_PRAGMAS,
        ConnectionMode::Inspect => INSPECT_PRAGMAS,
        ConnectionMode::Write | ConnectionMode::Migrate => {
            create(path).map_err(|error| Failure::fault(format!("the file {}", path.display())).from_source(error))?;
            require_writable(path)?;
            WRITE_PRAGMAS
        }
    };
    let text = path.to_str().ok_or_else(|| Failure::fault("the path of the SQLite database must be UTF-8"))?;
    let mut conn = SqliteConnection::establish(text)
        .map_err(|error| unusable(path, Failure::unavailable("opening").from_source(error)))?;
    for pragma in COMMON_PRAGMAS.iter().chain(pragmas) {
        conn.batch_execute(&format!("PRAGMA {pragma}")).map_err(|error| unusable(path, error.into()))?;
    }
    Ok(Conn::Sqlite(conn))
}

// `busy_timeout` comes first, because the statements after it may meet a lock.
const COMMON_PRAGMAS: &[&str] = &["busy_timeout = 5000", "foreign_keys = ON", "temp_store = MEMORY"];
// 2 MB hold the inner pages of a table with a million rows. The kernel caches the leaves.
const READ_PRAGMAS: &[&str] = &["query_only = ON", "cache_size = -2000"];
const INSPECT_PRAGMAS: &[&str] = &["query_only = ON"];
// FULL: an answered commit survives a power failure. The write after which the log has 16000 pages (64 MiB) copies into
// the file what the checkpointer has not copied yet.
const WRITE_PRAGMAS: &[&str] = &[
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

// SQLite opens a file that it may not write for reading only. Such a connection never writes, whatever becomes of the
// file. `access` opens nothing: closing another descriptor of the file would drop all locks that SQLite holds.
fn require_writable(path: &Path) -> Result<(), Failure> {
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        match access(&*file, Access::WRITE_OK) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => {
                let what = format!("this user may not write {}", Path::new(&file).display());
                return Err(Failure::unavailable(what).from_source(error));
            }
        }
    }
    Ok(())
}

/// A failure to open the file, in words for the operator.
pub fn unusable(path: &Path, failure: Failure) -> Failure {
    let what = format!("the SQLite database {} cannot be opened", path.display());
    // SQLite needs room even to read: its -shm file. It says no more than this on a full disk, or without permission.
    let says_little = ["disk I/O error", "unable to open database file"];
    let cause = failure.to_string();
    if says_little.iter().any(|text| cause.contains(text)) {
        return failure.about(format!("{what} (is there room on its disk, and may this user write there?)"));
    }
    failure.about(what)
}

/// How to copy the write-ahead log into the database file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checkpoint {
    /// Copies nothing, and tells how much there is.
    Noop,
    /// What nobody reads anymore. Neither readers nor writers wait.
    Passive,
    /// All of it, so that a stopped service leaves one file.
    Truncate,
}

/// The pages of the write-ahead log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct LogPages {
    #[diesel(sql_type = BigInt)]
    pub log: i64,
    /// Those that are copied.
    #[diesel(sql_type = BigInt)]
    pub checkpointed: i64,
}

/// The pages after the checkpoint.
pub fn checkpoint(conn: &mut Conn, how: Checkpoint) -> QueryResult<LogPages> {
    let pragma = match how {
        Checkpoint::Noop => "PRAGMA wal_checkpoint(NOOP)",
        Checkpoint::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
        Checkpoint::Truncate => "PRAGMA wal_checkpoint(TRUNCATE)",
    };
    on_each!(conn, |c| sql_query(pragma).get_result(c))
}
