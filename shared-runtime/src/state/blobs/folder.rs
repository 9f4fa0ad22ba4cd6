//! Blobs as files of a folder, made durable before they are there, and read in large chunks, one ahead of the reader.

use std::{
    collections::HashSet,
    fs::{self, DirBuilder, File},
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::UNIX_EPOCH,
};

use actix_web::web::Bytes;
use futures_util::{StreamExt as _, stream};
use object_store::local::LocalFileSystem;
use shared_model::{Failure, Timestamp};
use tokio::task::{JoinHandle, spawn_blocking};

use super::Chunks;

/// Bytes that are read at once.
const CHUNK: u64 = 256 * 1024;

/// A folder, made when it is first needed: services that keep no blobs leave no empty one behind.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    store: OnceLock<LocalFileSystem>,
}

impl Folder {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path, store: OnceLock::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn made(&self) -> Result<&LocalFileSystem, Failure> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let cannot = |error| Failure::unavailable("the folder of the blob store cannot be made").from_source(error);
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path).map_err(cannot)?;
        if let Some(parent) = self.path.parent() {
            File::open(parent).and_then(|parent| parent.sync_all()).map_err(cannot)?;
        }
        let store = LocalFileSystem::new_with_prefix(&self.path)
            .map_err(|error| Failure::unavailable("the folder of the blob store").from_source(error))?;
        Ok(self.store.get_or_init(|| store.with_fsync(true)))
    }

    /// What the store itself would list lacks the files that died half-written.
    pub(super) async fn sweep(&self, prefix: String, keep: HashSet<String>, before: Timestamp) -> Result<u64, Failure> {
        let folder = self.path.join(&prefix);
        let swept = spawn_blocking(move || sweep(&folder, &prefix, &keep, before)).await;
        swept
            .unwrap_or_else(|error| Err(io::Error::other(error)))
            .map_err(|error| Failure::unavailable("the folder of the blob store could not be swept").from_source(error))
    }
}

fn sweep(folder: &Path, prefix: &str, keep: &HashSet<String>, before: Timestamp) -> io::Result<u64> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry?;
        let is_kept = entry.file_name().to_str().is_some_and(|name| keep.contains(&format!("{prefix}/{name}")));
        // Another may be sweeping too, and a writer may finish meanwhile.
        if !is_kept && written(&entry)?.is_some_and(|written| written < before) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                outcome => outcome.map(|()| removed += 1)?,
            }
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => Err(error),
        _ => Ok(removed),
    }
}

fn written(entry: &fs::DirEntry) -> io::Result<Option<Timestamp>> {
    match entry.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        metadata => {
            let since = metadata?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            Ok(Some(Timestamp::from_micros(0).plus(since)))
        }
    }
}

/// Reads a range of a file on the blocking pool: while one chunk is being sent, the next is read.
pub(super) fn chunks(file: File, range: Range<u64>) -> Chunks {
    let left = range.end - range.start;
    stream::try_unfold(Reading::NotBegun(file, range.start, left), |reading| async move {
        let read = match reading {
            Reading::NotBegun(mut file, start, left) => spawn_blocking(move || {
                file.seek(SeekFrom::Start(start))?;
                read_chunk(file, left)
            }),
            Reading::Ahead(read) => read,
            Reading::Done => return Ok(None),
        };
        let Read { chunk, file, left } = match read.await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) => return Err(broken(error)),
            Err(error) => return Err(broken(io::Error::other(error))),
        };
        let next =
            if left == 0 { Reading::Done } else { Reading::Ahead(spawn_blocking(move || read_chunk(file, left))) };
        Ok(Some((chunk, next)))
    })
    .boxed()
}

enum Reading {
    NotBegun(File, u64, u64),
    Ahead(JoinHandle<io::Result<Read>>),
    Done,
}

struct Read {
    chunk: Bytes,
    file: File,
    left: u64,
}

fn read_chunk(file: File, left: u64) -> io::Result<Read> {
    let wanted = left.min(CHUNK);
    let mut chunk = Vec::with_capacity(usize::try_from(wanted).map_err(io::Error::other)?);
    let mut part = file.take(wanted);
    part.read_to_end(&mut chunk)?;
    if chunk.len() as u64 != wanted {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than it was when it was stored"));
    }
    Ok(Read { chunk: chunk.into(), file: part.into_inner(), left: left - wanted })
}

fn broken(error: io::Error) -> Failure {
    Failure::unavailable("a blob could not be read to its end").from_source(error)
}
