//! How many connections fit into the process's limit of open files (RLIMIT_NOFILE).

use rustix::process::{Resource, getrlimit, setrlimit};

/// Kept back for the operator's listener, the logs, Redis, blobs and calls out.
const KEPT_BACK: u64 = 64;
/// Of a SQLite connection: the database, its log and the log's index.
const EACH_DATABASE_CONNECTION: u64 = 3;
/// More are not taken however many files may be open.
const MOST: u64 = 16_384;

/// Raises the limit to what the administrator allows, and tells how many clients' connections fit beside so many of the
/// database.
pub fn raise_limit(database_connections: usize) -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = rustix::process::Rlimit { current: limit.maximum, ..limit };
        match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit = raised,
            Err(error) => tracing::warn!(%error, "the limit of open files could not be raised"),
        }
    }
    // Writers come on top of the readers.
    let database = (database_connections as u64 + 8) * EACH_DATABASE_CONNECTION;
    let left = limit.current.unwrap_or(u64::MAX).saturating_sub(KEPT_BACK + database);
    usize::try_from(left.clamp(16, MOST)).unwrap_or(usize::MAX)
}
