//! Reads a file that must not change while it is read.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Adds the path of the file to the error, unless it is already there.
pub fn with_path(path: &Path, error: io::Error) -> io::Error {
    let text = error.to_string();
    let path = path.display().to_string();
    if text.starts_with(&path) { error } else { io::Error::new(error.kind(), format!("{path}: {text}")) }
}

/// Fails when the file grows or shrinks during the read.
pub struct UnchangedFile {
    file: File,
    left: u64,
    path: PathBuf,
}

impl UnchangedFile {
    pub fn new(file: File, metadata: &Metadata, path: &Path) -> Self {
        Self { file, left: metadata.len(), path: path.to_owned() }
    }
}

impl Read for UnchangedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let changed = || io::Error::other(format!("{}: changed while it was read", self.path.display()));
        if self.left == 0 {
            // A log file that grows would otherwise be cut silently, and its tar header would lie about the size.
            return if self.file.read(&mut [0; 1])? == 0 { Ok(0) } else { Err(changed()) };
        }
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.file.read(&mut buffer[..wanted])?;
        if count == 0 && wanted > 0 {
            return Err(changed());
        }
        self.left -= count as u64;
        Ok(count)
    }
}
