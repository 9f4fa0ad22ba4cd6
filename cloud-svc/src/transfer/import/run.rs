//! Walks through a folder and adds each entry in a transaction of its own.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use indicatif::ProgressBar;
use sha2::{Digest as _, Sha256};
use shared_model::{Error, Name, text::printable};
use shared_runtime::{Conn, Context, base::progress, import::print_error_line};
use walkdir::{DirEntry, WalkDir};

use super::{
    outcome::{Outcome, Tally, why},
    source::{self, Read, SOURCE_BYTES, invalid},
    store::{self, Place, Standing},
};
use crate::{
    base::ids::FileId,
    files::{
        add::{self, Addition},
        name_on_disk,
        tree::{self, Put},
    },
    workspace::command::ChangeContext,
};
use cloud_content::{canonical::Canonical, file_type::FileType};

pub struct Import {
    /// The importer and the workspace.
    pub by: ChangeContext,
    /// The target folder; `None` for the top.
    pub target: Option<FileId>,
    /// A file, or a folder whose content is imported.
    pub path: PathBuf,
}

/// Imports files one after another, with one in memory at a time. Refused files are printed and skipped.
pub async fn run(context: &Context, import: Import) -> Result<Tally, Error> {
    let (owner, target) = (import.by.owner(), import.target);
    context.read(move |conn| tree::check_place(conn, owner, target, Put::New(FileType::Document))).await?;
    let bar = progress::byte_bar(bytes(&import.path));
    let mut run = Run { context, import, bar, tally: Tally::default() };
    let walked = run.walk().await;
    run.bar.finish_and_clear();
    walked.map(|()| run.tally)
}

/// Entries in the order of their names; a folder comes before its content. Links are not followed.
fn walk(path: &Path) -> walkdir::IntoIter {
    WalkDir::new(path).sort_by_file_name().into_iter()
}

fn is_hidden(entry: &DirEntry) -> bool {
    // Not the root, which the operator named.
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

// Only for the progress bar: an entry that cannot be read is reported by the walk itself.
fn bytes(path: &Path) -> u64 {
    let entries = walk(path).filter_entry(|entry| !is_hidden(entry)).filter_map(Result::ok);
    entries.filter(|entry| entry.file_type().is_file()).filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}

struct Run<'c> {
    context: &'c Context,
    import: Import,
    bar: ProgressBar,
    tally: Tally,
}

struct New {
    place: Place,
    parent: Option<FileId>,
    name: Name,
    kind: FileType,
    content: Option<Canonical>,
    sha256: Option<String>,
}

impl Run<'_> {
    async fn walk(&mut self) -> Result<(), Error> {
        let root = self.import.path.clone();
        // The folders above the current entry.
        let mut folders: Vec<FileId> = Vec::new();
        let mut entries = walk(&root);
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(&root).to_owned();
                    let why = error.io_error().map_or_else(|| error.to_string(), io::Error::to_string);
                    self.refuse(&path, &why);
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir();
            // The root may be a link: the operator named it on purpose.
            if entry.depth() == 0 && root.is_dir() {
                continue;
            }
            if is_hidden(&entry) {
                self.tally.hidden += 1;
                if is_folder {
                    entries.skip_current_dir();
                }
                continue;
            }
            folders.truncate(entry.depth().saturating_sub(1));
            let parent = folders.last().copied().or(self.import.target);
            let outcome = match self.enter(&entry, parent).await {
                Ok(outcome) => Some(outcome),
                Err(Error::Refused(refusal)) => {
                    self.refuse(entry.path(), &why(&refusal));
                    None
                }
                Err(failed) => return Err(failed),
            };
            if let Some(outcome) = outcome {
                self.tally.count(outcome);
                self.report(entry.path(), outcome);
            }
            match outcome {
                _ if !is_folder => self.bar.inc(entry.metadata().map_or(0, |found| found.len())),
                Some(Outcome::Added(id) | Outcome::Unchanged(id)) => folders.push(id),
                // The content of a folder that was not added has no place.
                _ => entries.skip_current_dir(),
            }
        }
        Ok(())
    }

    /// Adds one entry unless it exists.
    async fn enter(&self, entry: &DirEntry, parent: Option<FileId>) -> Result<Outcome, Error> {
        let path = match entry.depth() {
            0 => Path::new(entry.file_name()),
            _ => entry.path().strip_prefix(&self.import.path).unwrap_or(entry.path()),
        };
        let not_text = || invalid("must have a name in UTF-8".to_owned());
        let place = Place::of(self.import.by.workspace(), self.import.target, path.to_str().ok_or_else(not_text)?);
        let name = entry.file_name().to_str().ok_or_else(not_text)?;
        let kind = entry.file_type();
        if kind.is_dir() {
            let (kind, name) = (FileType::Folder, parse_name(name)?);
            return self.add(New { place, parent, name, kind, content: None, sha256: None }).await;
        }
        if !kind.is_file() {
            let what = if kind.is_symlink() { "symbolic links are not followed" } else { "this is neither" };
            return Err(invalid(format!("must be a file or a folder: {what}")));
        }
        let (format, stem) = source::format(name).map_err(invalid)?;
        let name = parse_name(stem)?;
        let bytes = read(entry.path())?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let (looked_up, of) = (place.clone(), sha256.clone());
        let standing = self.context.read(move |conn| Ok(store::standing(conn, &looked_up, Some(&of))?)).await?;
        // Looked up before the content is read: a second import of the same files should not parse them all.
        if let Some(outcome) = known(standing) {
            return Ok(outcome);
        }
        let Read { kind, content, warnings } = source::read(format, &name, &bytes, &self.context.random)?;
        let outcome = self.add(New { place, parent, name, kind, content: Some(content), sha256: Some(sha256) }).await?;
        // Not of a file that another import has just added: that one has said it.
        if matches!(outcome, Outcome::Added(_)) {
            warnings.iter().for_each(|warning| self.print(entry.path(), &format!("warning: {}", warning.message)));
        }
        Ok(outcome)
    }

    // The file and the row that records it are committed together: a second import after a crash neither repeats nor
    // skips it.
    async fn add(&self, new: New) -> Result<Outcome, Error> {
        let by = ChangeContext { at: self.context.clock.now(), ..self.import.by.clone() };
        let lane = by.workspace().lane();
        let transaction = move |conn: &mut Conn| {
            let New { place, parent, name, kind, content, sha256 } = &new;
            // Another import may have added it since the first lookup.
            if let Some(outcome) = known(store::standing(conn, place, sha256.as_deref())?) {
                return Ok(outcome);
            }
            let content = content.as_ref().map(Into::into);
            let addition = Addition { parent_id: *parent, name, kind: *kind, content, must_be_new: false };
            let file = add::add(conn, &by, addition)?;
            store::record(conn, place, sha256.as_deref(), file.id)?;
            Ok(Outcome::Added(file.id))
        };
        self.context.db.write_in(lane, transaction).await
    }

    fn report(&self, path: &Path, outcome: Outcome) {
        match outcome {
            Outcome::Added(_) | Outcome::Unchanged(_) => {}
            Outcome::Changed(id) => {
                self.print(path, &format!("changed since it was imported as {id}, which stays as it is"));
            }
            Outcome::InTrash(id) => {
                self.print(path, &format!("in the trash as {id}: restore it, or purge it and import again"))
            }
        }
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        self.tally.refused += 1;
        self.print(path, why);
    }

    fn print(&self, path: &Path, what: &str) {
        let path = path.to_string_lossy();
        self.bar.suspend(|| print_error_line(format_args!("{}: {}", printable(&path), printable(what))));
    }
}

/// The outcome of an entry that need not be added.
fn known(standing: Standing) -> Option<Outcome> {
    match standing {
        Standing::New => None,
        Standing::There(id) => Some(Outcome::Unchanged(id)),
        Standing::Changed(id) => Some(Outcome::Changed(id)),
        Standing::InTrash(id) => Some(Outcome::InTrash(id)),
    }
}

fn parse_name(on_disk: &str) -> Result<Name, Error> {
    Name::parse(&name_on_disk::decode(on_disk)).map_err(|rule| invalid(format!("as a name {rule}")))
}

// The limit applies to the bytes that are read, because the file may grow after its size was read.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| invalid(format!("cannot be read: {error}")))?;
    if bytes.len() > SOURCE_BYTES {
        return Err(invalid(format!("must be at most {SOURCE_BYTES} bytes")));
    }
    Ok(bytes)
}
