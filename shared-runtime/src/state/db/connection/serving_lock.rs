//! The lock that lets only one process serve a SQLite file. Rate limits and in-flight locks live in the process; a
//! second process would not see them.

use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use shared_model::Failure;

use super::wrong_database::WrongDatabase;

/// A lock on `FILE.lock` next to the database. The kernel releases it when the process ends, even after a kill.
// The lock file is never deleted. After a deletion, two processes could each lock a file of this name.
pub struct ServingLock {
    _file: File,
}

impl ServingLock {
    /// Takes the lock, or fails with the id of the process that has it. The database file must exist.
    pub fn take(database: &Path) -> Result<Self, Failure> {
        let failed =
            |error: io::Error| Failure::fault(format!("the lock of {}", database.display())).from_source(error);
        let path = beside(database).map_err(failed)?;
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(failed)?;
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // The holder writes its id after taking the lock, so the file may still be empty.
                let pid = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                Err(WrongDatabase::Served { path: database.to_owned(), pid }.into())
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

// Symbolic links are resolved, so that two names of one file share one lock.
fn beside(database: &Path) -> io::Result<PathBuf> {
    let mut path = database.canonicalize()?.into_os_string();
    path.push(".lock");
    Ok(path.into())
}
