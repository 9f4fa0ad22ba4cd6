//! The whole, put together from its parts; what was downloaded is never written on.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// Where the whole is to be: a new file, or in place of a regular one outside of the downloads.
pub struct Place {
    folder: PathBuf,
    path: PathBuf,
    is_new: bool,
}

impl Place {
    /// The place at `path`, unless something is there that must stay.
    pub fn of(path: &Path, downloads: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| io::Error::other("is no name of a file"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize()?;
        let path = folder.join(name);
        let is_new = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error),
            Ok(_) if folder.starts_with(downloads.canonicalize()?) => {
                return Err(io::Error::other("is there already, among the downloads; choose another file"));
            }
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("is there already, and no regular file; choose another"));
            }
            Ok(_) => false,
        };
        Ok(Self { folder, path, is_new })
    }
}

/// The whole while it is being put together, in a file of its own, which only we may read; gone unless it is kept.
pub struct Output {
    file: NamedTempFile,
    place: Place,
}

impl Output {
    /// Begins it.
    pub fn create(place: Place) -> io::Result<Self> {
        let file = tempfile::Builder::new().prefix(".assembling-").tempfile_in(&place.folder)?;
        Ok(Self { file, place })
    }

    /// Adds to its end.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Gives it its name: it is whole, and on the disk.
    pub fn keep(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let path = &self.place.path;
        let kept = if self.place.is_new { self.file.persist_noclobber(path) } else { self.file.persist(path) };
        kept.map_err(|error| error.error)?;
        fs::File::open(&self.place.folder)?.sync_all()
    }
}
