//! The file with all parts together. Downloaded files are never overwritten.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use shared_runtime::base::atomic_file::AtomicFile;

/// The assembled file while it is being written.
pub struct AssembledFile {
    file: AtomicFile,
    is_new: bool,
}

/// Checks that the assembled file may be at `path`: outside of the downloads, and not in place of a folder or device.
pub fn check_output_path(path: &Path, downloads: &Path) -> io::Result<()> {
    OutputPath::check(path, downloads).map(|_| ())
}

struct OutputPath {
    path: PathBuf,
    is_new: bool,
}

impl OutputPath {
    fn check(path: &Path, downloads: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| io::Error::other("is not a file name"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize()?;
        // In the folder it would be a file that the manifest does not list, and the next verification would fail.
        if folder.starts_with(downloads.canonicalize()?) {
            return Err(io::Error::other("is in the folder of the downloads; choose a path outside of it"));
        }
        let path = folder.join(name);
        let is_new = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error),
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("already exists and is not a regular file; choose another path"));
            }
            Ok(_) => false,
        };
        Ok(Self { path, is_new })
    }
}

impl AssembledFile {
    /// Creates the file, if it may be at `path`.
    pub fn create(path: &Path, downloads: &Path) -> io::Result<Self> {
        let OutputPath { path, is_new } = OutputPath::check(path, downloads)?;
        Ok(Self { file: AtomicFile::create(&path)?, is_new })
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Gives the complete file its name.
    pub fn keep(self) -> io::Result<()> {
        if self.is_new { self.file.persist_new() } else { self.file.replace() }
    }
}
