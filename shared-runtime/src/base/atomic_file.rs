//! Files that appear under their name only when they are complete and on disk.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A file with a temporary name in its final folder, readable only by its owner (mode 0600). Dropping it removes it.
pub struct AtomicFile {
    file: NamedTempFile,
    folder: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Begins the file for `path`, whose folder must exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".").suffix(".partial").tempfile_in(folder)?;
        Ok(Self { file, folder: folder.to_owned(), path: path.to_owned() })
    }

    /// Moves it to its final name and replaces a file there.
    pub fn replace(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        // The name is an entry of the folder; without this a power failure may undo it.
        File::open(&self.folder)?.sync_all()
    }

    /// Moves it to its final name; fails when that exists.
    pub fn persist_new(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist_noclobber(&self.path)?;
        File::open(&self.folder)?.sync_all()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
