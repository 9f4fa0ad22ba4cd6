//! The file that the parts are put together in; what was downloaded is never written on.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use shared_runtime::base::atomic_file::AtomicFile;

/// The whole while it is being put together: a new file, or in place of a regular one outside of the downloads.
pub struct AssembledFile {
    file: AtomicFile,
    is_new: bool,
}

/// Whether the whole may be put at `path`: outside of the downloads, where nothing is or a regular file.
pub fn check_place(path: &Path, downloads: &Path) -> io::Result<()> {
    Place::of(path, downloads).map(|_| ())
}

struct Place {
    path: PathBuf,
    is_new: bool,
}

impl Place {
    fn of(path: &Path, downloads: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| io::Error::other("is no name of a file"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize()?;
        // In the folder it would be a file that the manifest does not list, and the next verification would say so.
        if folder.starts_with(downloads.canonicalize()?) {
            return Err(io::Error::other("is among the downloads; put the whole together outside of their folder"));
        }
        let path = folder.join(name);
        let is_new = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error),
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("is there already, and no regular file; choose another"));
            }
            Ok(_) => false,
        };
        Ok(Self { path, is_new })
    }
}

impl AssembledFile {
    /// Begins the file that is to be at `path`, unless that may not be.
    pub fn create(path: &Path, downloads: &Path) -> io::Result<Self> {
        let Place { path, is_new } = Place::of(path, downloads)?;
        Ok(Self { file: AtomicFile::create(&path)?, is_new })
    }

    /// Adds to its end.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Gives the complete file its name.
    pub fn keep(self) -> io::Result<()> {
        if self.is_new { self.file.persist_new() } else { self.file.replace() }
    }
}
