//! The number of connections that fit into the process's limit of open files (RLIMIT_NOFILE).

use rustix::process::{Resource, getrlimit, setrlimit};

// For the operator's listener, logs, Redis, blobs and calls to other services.
const RESERVED_DESCRIPTORS: u64 = 64;
// A SQLite connection has three files: the database, its log and the log's index.
const DESCRIPTORS_PER_DATABASE_CONNECTION: u64 = 3;
// Each open connection also takes memory.
const MAX_CONNECTIONS: u64 = 16_384;

/// Raises the limit to the maximum that the administrator allows; returns how many client connections fit.
pub fn raise_limit(database_connections: usize) -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = rustix::process::Rlimit { current: limit.maximum, ..limit };
        match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit = raised,
            Err(error) => tracing::warn!(%error, "the limit of open files could not be raised"),
        }
    }
    // Writers have connections of their own.
    let database = (database_connections as u64 + 8) * DESCRIPTORS_PER_DATABASE_CONNECTION;
    // Without room for files a service cannot even open its database, so connections get what is left.
    let left = limit.current.unwrap_or(u64::MAX).saturating_sub(RESERVED_DESCRIPTORS + database);
    usize::try_from(left.clamp(16, MAX_CONNECTIONS)).unwrap_or(usize::MAX)
}
