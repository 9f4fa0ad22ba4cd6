//! The stack's folder: one stack at a time, and nothing in it readable by others.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io::{ErrorKind, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use shared_runtime::base::atomic_file::AtomicFile;

use crate::error::{StackError, cannot};

/// The folder with all that a stack keeps.
#[derive(Clone)]
pub struct Home {
    root: PathBuf,
}

/// The right to be the one stack that runs on a folder, for as long as it lives.
pub struct Tenancy {
    _lock: File,
}

impl Home {
    /// The folder at `path`, made if need be.
    pub fn make(path: &Path) -> Result<Self, StackError> {
        private_folder(path)?;
        Self::at(path)
    }

    /// The folder at `path`, where a stack has run before.
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

    /// Takes the folder for this process alone; the lock goes with the process, however that ends.
    pub fn move_in(&self) -> Result<Tenancy, StackError> {
        let path = self.path("lock");
        let what = || format!("lock {}", path.display());
        let lock = File::options().create(true).truncate(false).write(true).open(&path).map_err(cannot(what()))?;
        match lock.try_lock() {
            Ok(()) => Ok(Tenancy { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StackError::new(format!(
                "another stack runs on {}; stop it, or give this one a folder of its own with --data DIR",
                self.root.display()
            ))),
            Err(TryLockError::Error(error)) => Err(cannot(what())(error)),
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The text of a file; `None` when there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<String>, StackError> {
        match fs::read_to_string(self.path(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot(format!("read {}", self.path(name).display()))(error)),
        }
    }

    /// Writes a file that only its owner can read: whole or not at all, whenever the power fails.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, StackError> {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.root);
        private_folder(folder)?;
        let what = || format!("write {}", path.display());
        let mut file = AtomicFile::create(&path).map_err(cannot(what()))?;
        file.write_all(text.as_bytes()).map_err(cannot(what()))?;
        file.replace().map_err(cannot(what()))?;
        Ok(path)
    }

    /// The text of a file that is made the first time and kept from then on.
    pub fn kept(&self, name: &str, make: impl FnOnce() -> Result<String, StackError>) -> Result<String, StackError> {
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
