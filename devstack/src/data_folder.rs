//! The data folder: used by one stack at a time, readable by its owner only.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io::{ErrorKind, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use shared_runtime::base::atomic_file::AtomicFile;

use crate::error::{StackError, cannot};

#[derive(Clone)]
pub struct DataFolder {
    root: PathBuf,
}

/// Holds the lock of a data folder until dropped.
pub struct FolderLock {
    _lock: File,
}

impl DataFolder {
    /// The folder at `path`; creates it if it does not exist.
    pub fn make(path: &Path) -> Result<Self, StackError> {
        private_folder(path)?;
        Self::at(path)
    }

    /// The folder at `path`, which must exist.
    pub fn at(path: &Path) -> Result<Self, StackError> {
        if !path.exists() {
            return Err(StackError::new(format!(
                "there is no folder {}; start the stack first, or name its folder with --data DIR",
                path.display()
            )));
        }
        let root = path.canonicalize().map_err(cannot(format!("open the data folder {}", path.display())))?;
        Ok(Self { root })
    }

    /// Locks the folder for this process.
    pub fn lock(&self) -> Result<FolderLock, StackError> {
        let path = self.path("lock");
        let what = || format!("lock {}", path.display());
        let lock = File::options().create(true).truncate(false).write(true).open(&path).map_err(cannot(what()))?;
        // A file lock, not a file with a process id: the system releases it even after SIGKILL.
        match lock.try_lock() {
            Ok(()) => Ok(FolderLock { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StackError::new(format!(
                "another stack runs on {}; stop it, or give this one a folder of its own with --data DIR",
                self.root.display()
            ))),
            Err(TryLockError::Error(error)) => Err(cannot(what())(error)),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The text of a file; `None` if it does not exist.
    pub fn read(&self, name: &str) -> Result<Option<String>, StackError> {
        match fs::read_to_string(self.path(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot(format!("read {}", self.path(name).display()))(error)),
        }
    }

    /// Writes a file that only its owner can read.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, StackError> {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.root);
        private_folder(folder)?;
        let what = || format!("write {}", path.display());
        // Atomic, because these are keys and secrets: half a file after a power failure could not be repaired.
        let mut file = AtomicFile::create(&path).map_err(cannot(what()))?;
        file.write_all(text.as_bytes()).map_err(cannot(what()))?;
        file.replace().map_err(cannot(what()))?;
        Ok(path)
    }

    /// Reads a file; the first time, writes what `make` returns.
    pub fn read_or_write(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<String, StackError>,
    ) -> Result<String, StackError> {
        if let Some(text) = self.read(name)? {
            return Ok(text);
        }
        let text = make()?;
        self.write(name, &text)?;
        Ok(text)
    }
}

fn private_folder(path: &Path) -> Result<(), StackError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(cannot(format!("make the folder {}", path.display())))
}
