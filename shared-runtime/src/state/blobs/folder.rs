//! Blobs as files in a folder.

use std::{
    collections::HashSet,
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::UNIX_EPOCH,
};

use object_store::local::LocalFileSystem;
use shared_model::{Failure, Timestamp};
use tokio::task::spawn_blocking;

/// Created at its first use, so that services without blobs leave no empty folder.
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

    pub(super) fn open_or_create(&self) -> Result<&LocalFileSystem, Failure> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let cannot = |error| Failure::unavailable("the folder of the blob store cannot be made").from_source(error);
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path).map_err(cannot)?;
        if let Some(parent) = self.path.parent() {
            // The folder's name is an entry of its parent; without this a power failure may undo it.
            File::open(parent).and_then(|parent| parent.sync_all()).map_err(cannot)?;
        }
        let store = LocalFileSystem::new_with_prefix(&self.path)
            .map_err(|error| Failure::unavailable("the folder of the blob store").from_source(error))?;
        Ok(self.store.get_or_init(|| store.with_fsync(true)))
    }

    // Not the store's own listing: it hides the files of writers that died.
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
        // Another process may sweep at the same time, and a writer may finish.
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
