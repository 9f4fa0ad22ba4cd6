//! Blobs as files of a folder, made durable before they are there.

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
