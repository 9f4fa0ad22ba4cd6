//! Reading a file that must not change meanwhile.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The error, with the path of the file.
pub fn with_path(path: &Path, error: io::Error) -> io::Error {
    let text = error.to_string();
    let path = path.display().to_string();
    if text.starts_with(&path) { error } else { io::Error::new(error.kind(), format!("{path}: {text}")) }
}

/// Reads a file; an error when it grows or shrinks meanwhile.
pub struct UnchangedFile {
    file: File,
    left: u64,
    path: PathBuf,
}

impl UnchangedFile {
    /// A file that was just opened.
    pub fn new(file: File, metadata: &Metadata, path: &Path) -> Self {
        Self { file, left: metadata.len(), path: path.to_owned() }
    }
}

impl Read for UnchangedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let changed = || io::Error::other(format!("{}: changed while it was read", self.path.display()));
        if self.left == 0 {
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
