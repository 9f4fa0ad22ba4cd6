//! Writes a workspace folder by folder. One page of records and one content are in memory at a time.

use std::{
    collections::{BTreeSet, HashSet},
    fmt, fs,
    io::{self, ErrorKind, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use futures_util::TryStreamExt as _;
use indicatif::ProgressBar;
use shared_model::{Error, Failure, code, text::printable};
use shared_runtime::{
    Context,
    base::{atomic_file::AtomicFile, progress},
};

use super::{
    names::Names,
    store,
    written::{ends, written},
};
use crate::base::owner::Owner;
use crate::{
    base::ids::{FileId, UploadId},
    files::{
        self, chunk_lists,
        file::{File, FileState},
        name_on_disk,
        store::{Filter, Place},
    },
    workspace::changes::ChangeType,
};
use cloud_content::{
    file_type::FileType,
    spreadsheets::{content::SpreadsheetContent, csv, xlsx},
};

const PAGE: i64 = 500;
// Moved files that one transaction looks up. It should end within a second.
const MOVES: usize = 500;

pub struct Export {
    pub owner: Owner,
    /// One file, or the folder to export; `None` for the whole workspace.
    pub file: Option<FileId>,
    /// The target, which must be empty or not exist.
    pub folder: PathBuf,
    /// Also writes each sheet as CSV.
    pub csv: bool,
    /// Also writes each spreadsheet as a workbook.
    pub xlsx: bool,
    /// Writes a document as JSON if Markdown would lose anything.
    pub lossless: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub files: u64,
    pub folders: u64,
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, folders } = self;
        write!(f, "exported files: {files}, folders: {folders}")
    }
}

/// Writes the files that are not in the trash. A file that changes meanwhile is written once, in its old or new version
/// and place. The export fails if a file was moved behind it, and is missing for that reason.
pub async fn run(context: &Context, export: Export) -> Result<Exported, Error> {
    let (owner, file) = (export.owner, export.file);
    let found = context
        .read(move |conn| match file {
            None => Ok(None),
            Some(id) => match files::store::find(conn, owner, id)? {
                Some(file) if file.state == FileState::Active => Ok(Some(file)),
                _ => Err(code::not_found().because("There is no such file outside the trash.").into()),
            },
        })
        .await?;
    let bytes = context.read(move |conn| Ok(store::bytes(conn, owner.workspace(), file)?)).await;
    prepare(&export.folder).map_err(|error| failed(&export.folder, &error))?;
    // The sum may take longer than a statement may. An export needs no total.
    let bar = bytes.map_or_else(|_| ProgressBar::no_length(), progress::byte_bar);
    let (files, folders) = (HashSet::new(), HashSet::new());
    let mut run = Run { context, export, bar, exported: Exported::default(), files, folders };
    let written = match found {
        Some(file) if file.kind != FileType::Folder => run.file(&file, Path::new(""), &mut Names::within(0)).await,
        Some(folder) => run.tree(Place::In(folder.id)).await,
        None => run.tree(Place::Root).await,
    };
    run.bar.finish_and_clear();
    written.map(|()| run.exported)
}

// Only the owner may read the folder: it holds private files.
fn prepare(folder: &Path) -> io::Result<()> {
    match make_folder(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match fs::read_dir(folder)?.next() {
            None => Ok(()),
            Some(_) => Err(io::Error::new(ErrorKind::DirectoryNotEmpty, "must be an empty folder, or not exist")),
        },
        made => made,
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(folder)
}

struct Run<'c> {
    context: &'c Context,
    export: Export,
    bar: ProgressBar,
    exported: Exported,
    /// Those that are written.
    files: HashSet<FileId>,
    /// Those whose files are written, or will be.
    folders: HashSet<FileId>,
}

impl Run<'_> {
    async fn tree(&mut self, top: Place) -> Result<(), Error> {
        let owner = self.export.owner;
        let before = self.context.read(move |conn| Ok(store::last_change(conn, owner.workspace())?)).await?;
        if let Place::In(folder) = top {
            self.folders.insert(folder);
        }
        let mut folders = vec![(top, PathBuf::new())];
        while let Some((place, path)) = folders.pop() {
            let mut names = Names::within(path.as_os_str().len());
            let mut after = None;
            loop {
                let state = FileState::Active;
                let filter = Filter { names: files::store::Names::Any, place, kind: None, state, since: None };
                let page =
                    self.context.read(move |conn| Ok(files::store::list(conn, owner, filter, after, PAGE)?)).await?;
                let Some(last) = page.last() else { break };
                after = Some(last.id);
                for file in &page {
                    if file.kind != FileType::Folder {
                        self.file(file, &path, &mut names).await?;
                        continue;
                    }
                    if !self.folders.insert(file.id) {
                        continue;
                    }
                    let within = path.join(name_on_disk::encode(&names.take(&file.name, &[""])));
                    let on_disk = self.export.folder.join(&within);
                    make_folder(&on_disk).map_err(|error| failed(&on_disk, &error))?;
                    self.exported.folders += 1;
                    folders.push((Place::In(file.id), within));
                }
            }
        }
        self.check_moves(top, before).await
    }

    /// 412 if, after this change, a file was moved to a folder that the export had already read.
    async fn check_moves(&self, top: Place, before: i64) -> Result<(), Error> {
        let owner = self.export.owner.workspace();
        let top = match top {
            Place::In(folder) => Some(folder),
            Place::Root | Place::Anywhere => None,
        };
        let moved = self.context.read(move |conn| Ok(store::moved_since(conn, owner, before)?)).await?;
        // A folder may have been listed while it was in the trash, and its files were hidden.
        let is_there = |(id, kind): &(FileId, ChangeType)| {
            self.files.contains(id) || (*kind == ChangeType::FileMoved && self.folders.contains(id))
        };
        let moved: BTreeSet<_> = moved.into_iter().filter(|one| !is_there(one)).collect();
        for some in moved.into_iter().collect::<Vec<_>>().chunks(MOVES) {
            let some = some.to_vec();
            if self.context.read(move |conn| Ok(store::concerns(conn, &some, top)?)).await? {
                let message = "Files were moved meanwhile, so some may be missing. Export again, to another folder.";
                return Err(code::ETAG_MISMATCH.because(message).into());
            }
        }
        Ok(())
    }

    async fn file(&mut self, listed: &File, path: &Path, names: &mut Names) -> Result<(), Error> {
        let (owner, id) = (self.export.owner, listed.id);
        if self.files.contains(&id) {
            return Ok(());
        }
        // An upload may have changed its type since the list was read. If it was trashed since, it is left out.
        let found = self.context.read_snapshot(move |conn| match files::store::find(conn, owner, id)? {
            Some(file) if file.state == FileState::Active => {
                Ok(files::store::with_content(conn, owner, id, file.kind)?)
            }
            _ => Ok(None),
        });
        let Some((file, stored)) = found.await? else { return Ok(()) };
        self.files.insert(id);
        let kind = file.kind;
        if let Some(manifest) = stored.manifest_id {
            let name = names.take_upload(&file.name);
            return self.uploaded(manifest, path, &name).await;
        }
        let stored = stored.content;
        let name = names.take(&file.name, ends(kind));
        let (end, text) = written(kind, &name, &stored, self.export.lossless)?;
        self.write(path, &name, end, text.as_bytes())?;
        if kind == FileType::Spreadsheet && (self.export.csv || self.export.xlsx) {
            self.for_programs(&serde_json::from_str(&stored)?, path, &name, names)?;
        }
        self.exported.files += 1;
        self.bar.inc(stored.len() as u64);
        Ok(())
    }

    /// Writes a spreadsheet in the forms that other programs read.
    fn for_programs(
        &self,
        content: &SpreadsheetContent,
        path: &Path,
        name: &str,
        names: &mut Names,
    ) -> Result<(), Failure> {
        if self.export.csv {
            for sheet in &content.sheets {
                let name = names.take(&format!("{name}.{}", sheet.name.replace('/', "_")), &[".csv"]);
                self.write(path, &name, ".csv", csv::csv(sheet, false).as_bytes())?;
            }
        }
        if self.export.xlsx {
            let name = names.take(name, &[".xlsx"]);
            let bytes = xlsx::xlsx(content).map_err(|error| Failure::fault(error.to_string()))?;
            self.write(path, &name, ".xlsx", &bytes)?;
        }
        Ok(())
    }

    /// Writes an uploaded file chunk by chunk.
    async fn uploaded(&mut self, manifest: UploadId, path: &Path, name: &str) -> Result<(), Error> {
        let found = self.context.read(move |conn| {
            let found = chunk_lists::store::find(conn, manifest)?;
            let manifest = found.ok_or_else(|| Failure::fault("the manifest of a version has no row"))?;
            let pieces = chunk_lists::store::pieces(conn, &manifest)?;
            Ok((manifest.bytes.unsigned_abs(), pieces))
        });
        let (bytes, pieces) = found.await?;
        let chunks = self.context.blobs.read_pieces(pieces, 0..bytes).await?;
        let mut chunks = chunks.ok_or_else(|| Failure::fault("a blob that a row names is not in the store"))?;
        let path = self.export.folder.join(path).join(name_on_disk::encode(name));
        let mut file = AtomicFile::create(&path).map_err(|error| failed(&path, &error))?;
        while let Some(chunk) = chunks.try_next().await? {
            file.write_all(&chunk).map_err(|error| failed(&path, &error))?;
            self.bar.inc(chunk.len() as u64);
        }
        // Fails if the file exists, so no name is ever given twice without notice.
        file.persist_new().map_err(|error| failed(&path, &error))?;
        self.exported.files += 1;
        Ok(())
    }

    fn write(&self, path: &Path, name: &str, end: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.export.folder.join(path).join(name_on_disk::encode(name) + end);
        let written = AtomicFile::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.persist_new()
        });
        written.map_err(|error| failed(&path, &error))
    }
}

// An error of the operator's disk ends the export.
fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::fault(format!("{}: {error}", printable(&path.to_string_lossy())))
}
