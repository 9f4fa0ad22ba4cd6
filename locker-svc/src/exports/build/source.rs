//! The file or folder to pack. It is read on a blocking thread.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use actix_web::web::Bytes;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::{
    archive,
    unchanged_file::{UnchangedFile, with_path},
};

const CHUNK_BYTES: usize = 1024 * 1024;
// They bound the memory of a build to a few MiB.
const QUEUED_CHUNKS: usize = 4;
// With `.part-0499` a name has at most 200 bytes, and file systems allow 255.
const MAX_NAME_BYTES: usize = 190;

#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    is_folder: bool,
    pub file_name: String,
    /// The estimated length of the export.
    pub bytes: u64,
}

impl Source {
    /// Refuses a path that is neither a file nor a folder, and a folder that contains `forbidden`.
    pub fn open(path: &Path, forbidden: Option<&Path>) -> Result<Self, String> {
        let unreadable = |error: io::Error| format!("{}: {error}", path.display());
        let real = path.canonicalize().map_err(unreadable)?;
        let metadata = real.metadata().map_err(unreadable)?;
        let name = real.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{}: the name is not UTF-8", path.display()))?;
        let file_name = if metadata.is_dir() { format!("{name}.tar") } else { name.to_owned() };
        if file_name.len() > MAX_NAME_BYTES || file_name.chars().any(char::is_control) {
            return Err(format!(
                "{}: the name must be at most {MAX_NAME_BYTES} bytes without control characters",
                path.display()
            ));
        }
        if metadata.is_dir() && forbidden.is_some_and(|inner| holds(&real, inner)) {
            return Err(format!("{}: contains the blob store, which would grow while it is packed", path.display()));
        }
        let bytes = if metadata.is_dir() {
            archive::bytes(&real).map_err(unreadable)?
        } else if metadata.is_file() {
            metadata.len()
        } else {
            return Err(format!("{}: is neither a file nor a folder", path.display()));
        };
        Ok(Self { path: real, is_folder: metadata.is_dir(), file_name, bytes })
    }

    pub fn path_text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    pub fn content_type(&self) -> &'static str {
        if self.is_folder { "application/x-tar" } else { "application/octet-stream" }
    }

    /// Returns the bytes in chunks. An error is the last item.
    pub fn read(self) -> Receiver<Result<Bytes, String>> {
        let (sender, receiver) = mpsc::channel(QUEUED_CHUNKS);
        tokio::task::spawn_blocking(move || {
            let mut sink = ChunkSender { sender, buffer: Vec::with_capacity(CHUNK_BYTES) };
            let read = if self.is_folder { archive::write(&self.path, &mut sink) } else { copy(&self.path, &mut sink) };
            if let Err(error) = read.and_then(|()| sink.flush()) {
                // Sending fails only when the build has already ended for another reason.
                let _ = sink.sender.blocking_send(Err(error.to_string()));
            }
        });
        receiver
    }
}

fn holds(folder: &Path, inner: &Path) -> bool {
    // The folder of the blob store may not exist yet, so its nearest existing ancestor is compared.
    inner.ancestors().find_map(|path| path.canonicalize().ok()).is_some_and(|real| real.starts_with(folder))
}

fn copy(path: &Path, sink: &mut ChunkSender) -> io::Result<()> {
    let file = File::open(path).map_err(|error| with_path(path, error))?;
    let metadata = file.metadata().map_err(|error| with_path(path, error))?;
    io::copy(&mut UnchangedFile::new(file, &metadata, path), sink).map(drop)
}

// Sending blocks while the packer is slower: the blob store sets the pace.
struct ChunkSender {
    sender: Sender<Result<Bytes, String>>,
    buffer: Vec<u8>,
}

impl Write for ChunkSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(CHUNK_BYTES - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..count]);
        if self.buffer.len() == CHUNK_BYTES {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES));
        self.sender.blocking_send(Ok(chunk.into())).map_err(|_| io::Error::other("the build has ended"))
    }
}
