//! What is packed: a file as it is, or a folder as a tar archive; read by a thread of its own.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use actix_web::web::Bytes;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::archive;

/// Bytes that travel together, and how many such chunks may wait.
const CHUNK: usize = 1024 * 1024;
const CHUNKS: usize = 4;
/// Bytes of a name at most.
const NAME_BYTES: usize = 190;

/// A file or folder, opened to be packed.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    is_folder: bool,
    /// What to call the whole.
    pub file_name: String,
    /// About how many bytes that will be.
    pub bytes: u64,
}

impl Source {
    /// The source at `path`, unless it is neither file nor folder, or a folder that holds `forbidden`.
    pub fn open(path: &Path, forbidden: Option<&Path>) -> Result<Self, String> {
        let unreadable = |error: io::Error| format!("{}: {error}", path.display());
        let real = path.canonicalize().map_err(unreadable)?;
        let metadata = real.metadata().map_err(unreadable)?;
        let name = real.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{}: has no name in UTF-8", path.display()))?;
        let file_name = if metadata.is_dir() { format!("{name}.tar") } else { name.to_owned() };
        if file_name.len() > NAME_BYTES || file_name.chars().any(char::is_control) {
            return Err(format!(
                "{}: the name must be at most {NAME_BYTES} bytes without control characters",
                path.display()
            ));
        }
        if metadata.is_dir() && forbidden.is_some_and(|inner| holds(&real, inner)) {
            return Err(format!("{}: holds the blob store itself, which would grow as it is packed", path.display()));
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

    /// Its path, from the root.
    pub fn path_text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The media type of the whole.
    pub fn content_type(&self) -> &'static str {
        if self.is_folder { "application/x-tar" } else { "application/octet-stream" }
    }

    /// Its bytes, read by a thread of their own; the last thing that comes may be why there are no more.
    pub fn read(self) -> Receiver<Result<Bytes, String>> {
        let (sender, receiver) = mpsc::channel(CHUNKS);
        tokio::task::spawn_blocking(move || {
            let mut sink = Sink { sender, buffer: Vec::with_capacity(CHUNK) };
            let read = if self.is_folder { archive::write(&self.path, &mut sink) } else { copy(&self.path, &mut sink) };
            if let Err(error) = read.and_then(|()| sink.flush()) {
                // Nobody waits for it any more only when the build has ended for another reason.
                let _ = sink.sender.blocking_send(Err(error.to_string()));
            }
        });
        receiver
    }
}

fn holds(folder: &Path, inner: &Path) -> bool {
    // The blob store may not be there yet; then what is there of its path tells.
    inner.ancestors().find_map(|path| path.canonicalize().ok()).is_some_and(|real| real.starts_with(folder))
}

fn copy(path: &Path, sink: &mut Sink) -> io::Result<()> {
    let file = File::open(path).map_err(|error| named(path, error))?;
    let metadata = file.metadata().map_err(|error| named(path, error))?;
    io::copy(&mut Exactly::new(file, &metadata, path), sink).map(drop)
}

/// The error, with the file that it is about.
pub fn named(path: &Path, error: io::Error) -> io::Error {
    let text = error.to_string();
    let path = path.display().to_string();
    if text.starts_with(&path) { error } else { io::Error::new(error.kind(), format!("{path}: {text}")) }
}

/// Reads a file that must be exactly as long at its end as it was when it was opened.
pub struct Exactly {
    file: File,
    left: u64,
    path: PathBuf,
}

impl Exactly {
    /// A file that was opened just now.
    pub fn new(file: File, metadata: &Metadata, path: &Path) -> Self {
        Self { file, left: metadata.len(), path: path.to_owned() }
    }
}

impl Read for Exactly {
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

/// Gathers bytes into chunks and sends them off; waits while the receiver is slower.
struct Sink {
    sender: Sender<Result<Bytes, String>>,
    buffer: Vec<u8>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..count]);
        if self.buffer.len() == CHUNK {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        self.sender.blocking_send(Ok(chunk.into())).map_err(|_| io::Error::other("the build has ended"))
    }
}
