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

#[cfg(test)]
mod tests {
    use std::{fs, io::ErrorKind, mem, os::unix::fs::PermissionsExt as _};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o777
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    /// A file of which a part is written.
    fn begun(path: &Path) -> AtomicFile {
        let mut file = AtomicFile::create(path).expect("a file");
        file.write_all(b"ne").expect("room");
        file
    }

    #[test]
    fn the_old_content_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        fs::write(&path, "old").expect("the file is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("the file is ours");
        let mut file = begun(&path);
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        file.write_all(b"w").expect("room");
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        file.replace().expect("it is moved");
        assert_eq!((fs::read(&path).expect("a file").as_slice(), mode(&path)), (&b"new"[..], 0o600));
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn a_crash_leaves_the_old_content_or_none_and_shows_the_new_one_to_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        // As if the process had ended here: nothing is dropped.
        mem::forget(begun(&path));
        assert!(!path.exists());
        let left = fs::read_dir(folder.path()).expect("a folder").next().expect("a part").expect("an entry").path();
        assert_eq!((fs::read(&left).expect("a file").as_slice(), mode(&left)), (&b"ne"[..], 0o600));
        // The next start is not in its way.
        let mut file = begun(&path);
        file.write_all(b"w").expect("room");
        file.persist_new().expect("it is moved");
        mem::forget(begun(&path));
        assert_eq!((fs::read(&path).expect("a file").as_slice(), mode(&path)), (&b"new"[..], 0o600));
    }

    #[test]
    fn a_new_file_replaces_none_and_a_dropped_one_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        fs::write(&path, "old").expect("the file is written");
        let refused = begun(&path).persist_new().expect_err("there is one");
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        drop(begun(&path));
        assert_eq!((fs::read(&path).expect("a file").as_slice(), names(folder.path())), (&b"old"[..], 1));
    }
}
