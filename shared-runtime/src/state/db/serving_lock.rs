//! One process serves a SQLite file: its counters and in-flight locks are its own, so a second would not know of them.

use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use shared_model::Failure;

use super::wrong_database::WrongDatabase;

/// The lock on `FILE.lock` beside the database, which goes with the process, however that ends. The lock file stays: were
/// it removed, two processes could hold a lock on two files of one name.
pub(super) struct ServingLock {
    _file: File,
}

impl ServingLock {
    /// Takes it, or names its holder. The database's file exists.
    pub(super) fn take(database: &Path) -> Result<Self, Failure> {
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
                // Whoever has only just taken it has not written yet.
                let pid = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                Err(WrongDatabase::Served { path: database.to_owned(), pid }.into())
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

/// Links are followed: two names of one file have one lock.
fn beside(database: &Path) -> io::Result<PathBuf> {
    let mut path = database.canonicalize()?.into_os_string();
    path.push(".lock");
    Ok(path.into())
}
