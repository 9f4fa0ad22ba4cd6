//! Checks the file of a SQLite database before it is opened for writing, and while it is open.

use std::{
    fs,
    io::ErrorKind,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use diesel::connection::SimpleConnection as _;
use shared_model::Failure;

use super::{conn::Conn, connection_mode::ConnectionMode, sqlite, wrong_database::WrongDatabase};

/// Opens a read-only connection; `None` when there is no file yet. A missing folder is an error.
pub fn inspect(path: &Path) -> Result<Option<Conn>, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        return Err(WrongDatabase::NoFolder(folder.to_owned()).into());
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(WrongDatabase::Folder(path.to_owned()).into()),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::fault(format!("the file {}", path.display())).from_source(error)),
    }
    // Only SQLite itself may open the file. Closing any other descriptor would drop all locks that SQLite holds in this
    // process (POSIX locks).
    let mut conn = sqlite::connect(path, ConnectionMode::Inspect)?;
    match conn.batch_execute("SELECT count(*) FROM sqlite_master") {
        Err(error) if error.to_string() == "file is not a database" => {
            Err(WrongDatabase::NoDatabase(path.to_owned()).into())
        }
        Err(error) => Err(sqlite::unusable(path, error.into())),
        Ok(()) => Ok(Some(conn)),
    }
}

pub struct OpenedFile {
    path: PathBuf,
    device_and_inode: (u64, u64),
    is_lost: AtomicBool,
}

impl OpenedFile {
    pub fn at(path: &Path) -> Result<Self, Failure> {
        let device_and_inode = identify(path)
            .map_err(|error| Failure::fault(format!("the file {}", path.display())).from_source(error))?;
        Ok(Self { path: path.to_owned(), device_and_inode, is_lost: AtomicBool::new(false) })
    }

    /// Fails from the moment the path names another file or none.
    pub fn check(&self) -> Result<(), Failure> {
        let is_there = identify(&self.path).is_ok_and(|found| found == self.device_and_inode);
        // `is_lost` never resets: some connections may have opened the other file, and only a restart closes them all.
        if is_there && !self.is_lost.load(Ordering::Acquire) {
            return Ok(());
        }
        if !self.is_lost.swap(true, Ordering::AcqRel) {
            tracing::error!(
                path = %self.path.display(),
                "the database's file was renamed, replaced or deleted while it is open: the next start would not find what \
                 is written now; stop the service, put the file and its -wal in place, and start it again"
            );
        }
        let what = format!("the file {} is not the one that is open", self.path.display());
        Err(Failure::unavailable(what).already_logged())
    }
}

fn identify(path: &Path) -> std::io::Result<(u64, u64)> {
    fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}
