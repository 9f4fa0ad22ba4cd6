//! What is packed: a file as it is, or a folder as a tar archive that depends on nothing but names, contents, links and
//! the right to execute, so that the same folder is the same archive on every machine and at every time.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Write},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use actix_web::web::Bytes;
use tar::{Builder, EntryType, Header, HeaderMode};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Bytes that travel together, and how many such chunks may wait.
const CHUNK: usize = 1024 * 1024;
const CHUNKS: usize = 4;
/// A tar archive consists of blocks.
const BLOCK: u64 = 512;
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
            archived_bytes(&real).map_err(unreadable)?
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
            let read = if self.is_folder { archive(&self.path, &mut sink) } else { copy(&self.path, &mut sink) };
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

fn archive(folder: &Path, sink: &mut Sink) -> io::Result<()> {
    let mut archive = Builder::new(sink);
    let name = PathBuf::from(folder.file_name().unwrap_or_default());
    append(&mut archive, folder, &name)?;
    archive.finish()
}

/// Appends what is at `real` as `name`, and below a folder all that it holds, in the order of the bytes of their names.
fn append(archive: &mut Builder<&mut Sink>, real: &Path, name: &Path) -> io::Result<()> {
    let told = |error| named(real, error);
    let metadata = real.symlink_metadata().map_err(told)?;
    let mut header = Header::new_gnu();
    header.set_metadata_in_mode(&metadata, HeaderMode::Deterministic);
    if metadata.is_symlink() {
        header.set_entry_type(EntryType::Symlink);
        header.set_mode(0o777);
        archive.append_link(&mut header, name, fs::read_link(real).map_err(told)?).map_err(told)
    } else if metadata.is_file() {
        let file = File::open(real).map_err(told)?;
        header.set_size(metadata.len());
        archive.append_data(&mut header, name, Exactly::new(file, &metadata, real)).map_err(told)
    } else if metadata.is_dir() {
        archive.append_data(&mut header, name, io::empty()).map_err(told)?;
        for child in children(real)? {
            append(archive, &real.join(&child), &name.join(&child))?;
        }
        Ok(())
    } else {
        Err(named(real, io::Error::other("is no file, folder or symbolic link, and cannot be packed")))
    }
}

fn children(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let entries = fs::read_dir(folder).map_err(|error| named(folder, error))?;
    let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(|error| named(folder, error))?;
    names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}

fn archived_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 2 * BLOCK;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        bytes += BLOCK;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += BLOCK + if metadata.is_file() { metadata.len().next_multiple_of(BLOCK) } else { 0 };
            }
        }
    }
    Ok(bytes)
}

fn named(path: &Path, error: io::Error) -> io::Error {
    let text = error.to_string();
    let path = path.display().to_string();
    if text.starts_with(&path) { error } else { io::Error::new(error.kind(), format!("{path}: {text}")) }
}

/// Reads a file that must be exactly as long at its end as it was when it was opened.
struct Exactly {
    file: File,
    left: u64,
    path: PathBuf,
}

impl Exactly {
    fn new(file: File, metadata: &Metadata, path: &Path) -> Self {
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
