//! The whole, put together from its parts.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// The whole while it is being put together, under a name of its own; gone unless it is kept.
pub struct Output {
    file: File,
    path: PathBuf,
    is_kept: bool,
}

/// What it is called until it is whole.
pub fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

impl Output {
    /// Begins it.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(partial(path))?, path: path.to_owned(), is_kept: false })
    }

    /// Adds to its end.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Gives it its name: it is whole, and on the disk.
    pub fn keep(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(partial(&self.path), &self.path)?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.is_kept {
            // What is left is of no use, and of no harm.
            let _ = fs::remove_file(partial(&self.path));
        }
    }
}
