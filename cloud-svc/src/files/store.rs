//! The rows of files.
// Each query takes the owning workspace first, so that a file of another workspace is never found. Purged files, and
// files inside a trashed folder, are not found either.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use shared_model::{Error, Failure, Name, NextAction, Refusal, Timestamp, code};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::{
    file::{File, FileState},
    fixed_condition::fixed_condition,
    like_pattern::containing,
    name_pieces, search_entries, tree,
};
use crate::{
    base::{
        id_list,
        ids::FileId,
        links::FileLinks,
        owner::Owner,
        tables::{files, versions},
    },
    files::{version_content::StoredContent, version_store::FIRST},
    workspace::{changes::ChangeType, command::ChangeContext, limits},
};
use cloud_content::{file_type::FileType, name_key::name_key};

/// A file to insert. Its first version is inserted afterwards.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    /// `None` at the top.
    pub parent_id: Option<FileId>,
    pub name: &'a Name,
    pub kind: FileType,
    /// The number of the change that creates the file.
    pub change_sequence: i64,
    pub at: Timestamp,
}

pub fn insert(conn: &mut Conn, owner: Owner, new: NewFile<'_>) -> Result<File, Failure> {
    let NewFile { parent_id, name, kind, change_sequence, at } = new;
    let name_key = name_key(name.as_str());
    let id = diesel::insert_into(files::table)
        .values((
            files::workspace_id.eq(owner.workspace()),
            files::parent_id.eq(parent_id),
            files::name.eq(name.as_str()),
            files::name_key.eq(&name_key),
            files::kind.eq(kind),
            files::state.eq(FileState::Active),
            // The caller inserts this version in the same transaction.
            files::current_version.eq((kind != FileType::Folder).then_some(FIRST)),
            files::meta_revision.eq(1),
            files::change_sequence.eq(change_sequence),
            files::first_change.eq(change_sequence),
            files::created_at.eq(at),
            files::updated_at.eq(at),
        ))
        .returning(files::id)
        .get_result(conn)?;
    name_pieces::index(conn, owner.workspace(), id, &name_key)?;
    search_entries::write(owner.workspace(), id, change_sequence, at);
    Ok(File {
        id,
        workspace_id: owner.workspace(),
        parent_id,
        name: name.as_str().to_owned(),
        kind,
        current_version_id: None,
        version_number: (kind != FileType::Folder).then_some(FIRST),
        meta_revision: 1,
        state: FileState::Active,
        change_sequence,
        created_at: at,
        updated_at: at,
    })
}

/// The owner's file, if it is visible.
pub fn find(conn: &mut Conn, owner: Owner, id: FileId) -> Result<Option<File>, Failure> {
    let found = on_each!(conn, |c| files::table
        .left_join(versions::table.on(IsCurrent))
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner.workspace())).and(files::purged_at.is_null()))
        .filter(tree::IsNotHidden)
        .select(File::as_select())
        .first(c)
        .optional())?;
    within_limits(conn, owner, found, |file: &mut File| file)
}

/// The owner's visible files among these ids, in no order: those that [`find`] finds.
pub fn visible(conn: &mut Conn, owner: Owner, ids: &[FileId]) -> Result<Vec<File>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = on_each!(conn, |c| files::table
        .left_join(versions::table.on(IsCurrent))
        .filter(files::id.eq_any(ids).and(files::workspace_id.eq(owner.workspace())).and(files::purged_at.is_null()))
        .filter(tree::IsNotHidden)
        .select(File::as_select())
        .load(c))?;
    all_within_limits(conn, owner, found)
}

/// The owner's files among these ids, in no order. Purged files are left out; files in trashed folders are not.
pub fn with_ids(conn: &mut Conn, owner: Owner, ids: &[FileId]) -> Result<Vec<File>, Failure> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = on_each!(conn, |c| files::table
        .left_join(versions::table.on(IsCurrent))
        .filter(files::id.eq_any(ids).and(files::workspace_id.eq(owner.workspace())).and(files::purged_at.is_null()))
        .select(File::as_select())
        .load(c))?;
    all_within_limits(conn, owner, found)
}

fn all_within_limits(conn: &mut Conn, owner: Owner, mut found: Vec<File>) -> Result<Vec<File>, Failure> {
    let ids: Vec<FileId> = found.iter().map(|file| file.id).collect();
    let allowed = limits::allowed(conn, owner, &ids)?;
    found.retain(|file| allowed.contains(&file.id));
    conceal(conn, owner, &mut found)?;
    Ok(found)
}

/// Hides what is above the folders of an agent's limits: for it they are at the top.
pub fn conceal<'f>(
    conn: &mut Conn,
    owner: Owner,
    files: impl IntoIterator<Item = &'f mut File>,
) -> Result<(), Failure> {
    let roots = limits::roots(conn, owner)?;
    for file in files.into_iter().filter(|file| roots.contains(&file.id)) {
        file.parent_id = None;
    }
    Ok(())
}

// One statement, so that the record and the content are of the same version.
pub fn with_content(
    conn: &mut Conn,
    owner: Owner,
    id: FileId,
    kind: FileType,
) -> Result<Option<(File, StoredContent)>, Failure> {
    let found = on_each!(conn, |c| files::table
        .inner_join(versions::table.on(IsCurrent))
        .filter(files::id.eq(id).and(files::workspace_id.eq(owner.workspace())).and(files::kind.eq(kind)))
        .filter(files::purged_at.is_null())
        .filter(tree::IsNotHidden)
        .select((File::as_select(), StoredContent::as_select()))
        .first(c)
        .optional())?;
    let found = within_limits(conn, owner, found, |(file, _)| file)?;
    found.map(|(file, stored): (_, StoredContent)| Ok((file, stored.checked()?))).transpose()
}

/// The owner's file of this type; otherwise 404. A file of another type leads to its own URL.
pub fn of_type(conn: &mut Conn, owner: Owner, id: FileId, kind: FileType, links: &FileLinks) -> Result<File, Error> {
    match find(conn, owner, id)? {
        Some(file) if file.kind == kind => Ok(file),
        Some(file) => {
            let message = format!("{id} is not of type {}, but of type {}.", kind.as_str(), file.kind.as_str());
            Err(not_of_type(&file, message, links).into())
        }
        None => Err(code::not_found().into()),
    }
}

/// 404 for what files of this type do not have. It leads to the file's own URL.
pub fn not_of_type(file: &File, message: String, links: &FileLinks) -> Refusal {
    let next = NextAction::Refresh { href: links.content_href(file.id, file.kind), etag: None };
    code::not_found().because(message).next(next)
}

/// [`with_content`], with the refusals of [`of_type`].
pub fn content_of_type(
    conn: &mut Conn,
    owner: Owner,
    id: FileId,
    kind: FileType,
    links: &FileLinks,
) -> Result<(File, StoredContent), Error> {
    if let Some(found) = with_content(conn, owner, id, kind)? {
        return Ok(found);
    }
    of_type(conn, owner, id, kind, links)?;
    // Its content came between the two reads.
    with_content(conn, owner, id, kind)?.ok_or_else(|| code::not_found().into())
}

/// `None` for a file outside of an agent's limits.
fn within_limits<T>(
    conn: &mut Conn,
    owner: Owner,
    found: Option<T>,
    file: impl Fn(&mut T) -> &mut File,
) -> Result<Option<T>, Failure> {
    let Some(mut found) = found else { return Ok(None) };
    // People have no limits, and need no further query.
    if owner.agent().is_some() {
        let file = file(&mut found);
        if limits::allowed(conn, owner, &[file.id])?.is_empty() {
            return Ok(None);
        }
        conceal(conn, owner, [file])?;
    }
    Ok(Some(found))
}

fixed_condition! {
    /// A row of `versions` is the current version of a row of `files`.
    // Without the sum, PostgreSQL compares `file_id` with the id that a query names. It then reads all versions of the
    // file: its planner expects few.
    pub struct IsCurrent = "(versions.file_id = files.id + 0 AND versions.number = files.current_version)";
}

#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    pub names: Names<'a>,
    pub place: Place,
    pub kind: Option<FileType>,
    pub state: FileState,
    /// Only files from this one on.
    pub since: Option<FileId>,
}

#[derive(Clone, Copy, Debug)]
pub enum Names<'a> {
    Any,
    /// The name keys contain this text.
    Containing(&'a str),
    /// The same, but only among these ids.
    Candidates(&'a str, &'a [i64]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Anywhere,
    Root,
    In(FileId),
}

// SQL: a row of `files` is a folder of the limits with this number.
const IS_ROOT: &str =
    "EXISTS (SELECT 1 FROM agent_folders WHERE agent_folders.file_id = files.id AND agent_folders.agent = ";

// A macro, because diesel's types of such conditions cannot be named.
macro_rules! among {
    ($query:ident, $conn:ident, $ids:expr) => {{
        let (before, after) = id_list::condition($conn, "files.id");
        $query.filter(sql::<Bool>(&before).bind::<Text, _>(id_list::parameter($conn, $ids)).sql(after))
    }};
}

/// The owner's visible files, newest first: up to `rows` that come after `after`.
pub fn list(
    conn: &mut Conn,
    owner: Owner,
    filter: Filter<'_>,
    after: Option<FileId>,
    rows: i64,
) -> Result<Vec<File>, Failure> {
    let mut query = files::table
        .left_join(versions::table.on(IsCurrent))
        .filter(files::state.eq(filter.state).and(files::purged_at.is_null()))
        .select(File::as_select())
        .order(files::id.desc())
        .limit(rows)
        .into_boxed();
    query = match filter.place {
        // The sum keeps the index of workspaces out. PostgreSQL's planner expects an average workspace, and reads all
        // entries of a large one to find the files of a folder.
        Place::In(_) => query.filter(sql::<BigInt>("files.workspace_id + 0").eq(owner.workspace())),
        Place::Anywhere | Place::Root => query.filter(files::workspace_id.eq(owner.workspace())),
    };
    query = match (filter.state, filter.place) {
        (FileState::Active, _) => query.filter(sql::<Bool>(tree::IS_VISIBLE)),
        // Redundant, but the planner needs this condition to use the partial index of the trash.
        (FileState::Trashed, Place::Anywhere | Place::Root) => query.filter(files::trashed_at.is_not_null()),
        (FileState::Trashed, Place::In(_)) => query,
    };
    limits::within_limits!(query, owner);
    match (filter.place, owner.agent()) {
        (Place::Anywhere, _) => {}
        (Place::Root, None) => query = query.filter(files::parent_id.is_null()),
        (Place::In(folder), None) => query = query.filter(files::parent_id.eq(folder)),
        (Place::Root, Some(_)) => {
            let roots = limits::roots(conn, owner)?;
            query = match roots.is_empty() {
                true => query.filter(files::parent_id.is_null()),
                false => among!(query, conn, roots.iter().map(|id| id.number())),
            };
        }
        (Place::In(folder), Some(number)) => {
            let is_root = sql::<Bool>("NOT ").sql(IS_ROOT).bind::<BigInt, _>(number).sql(")");
            query = query.filter(files::parent_id.eq(folder).and(is_root));
        }
    }
    match filter.names {
        Names::Any | Names::Containing(_) => {}
        Names::Candidates(_, ids) => query = among!(query, conn, ids.iter().copied()),
    }
    if let Names::Containing(term) | Names::Candidates(term, _) = filter.names {
        query = query.filter(files::name_key.like(containing(term)).escape('\\'));
    }
    if let Some(kind) = filter.kind {
        query = match (filter.place, filter.state) {
            (Place::Anywhere, FileState::Active) | (Place::In(_), _) => query.filter(files::kind.eq(kind)),
            // The empty text keeps the index of types out. Files at the top, and those in the trash, may be few among
            // all of a type. They have indexes of their own.
            (Place::Root, _) | (Place::Anywhere, FileState::Trashed) => {
                query.filter(sql::<Text>("files.type || ''").eq(kind))
            }
        };
    }
    if let Some(after) = after {
        query = query.filter(files::id.lt(after));
    }
    if let Some(since) = filter.since {
        query = query.filter(files::id.ge(since));
    }
    let mut found: Vec<File> = prepared(query).load(conn)?;
    conceal(conn, owner, &mut found)?;
    Ok(found)
}

/// Whether a folder, or the top, has an active file other than `except` with the same name key.
pub fn has_name(
    conn: &mut Conn,
    owner: Owner,
    parent: Option<FileId>,
    name: &Name,
    except: Option<FileId>,
) -> Result<bool, Failure> {
    let mut query = files::table
        .filter(
            files::workspace_id
                .eq(owner.workspace())
                .and(files::state.eq(FileState::Active))
                // Redundant, but the planner needs this condition to use the partial index of names.
                .and(files::trashed_at.is_null())
                .and(files::purged_at.is_null()),
        )
        // Two rows are enough: one of them may be `except`.
        .filter(files::name_key.eq(name_key(name.as_str())))
        .select(files::id)
        .limit(2)
        .into_boxed();
    // A name that only a hidden file has is free: a refusal would tell of the file.
    limits::within_limits!(query, owner);
    query = match parent {
        Some(parent) => query.filter(files::parent_id.eq(parent)),
        None => query.filter(files::parent_id.is_null()),
    };
    let found: Vec<FileId> = query.load(conn)?;
    Ok(found.into_iter().any(|id| Some(id) != except))
}

#[derive(Clone, Copy, Debug)]
pub enum Update<'a> {
    Rename(&'a Name),
    /// `None` for the top.
    Move(Option<FileId>),
    Trash,
    /// `None` for the top.
    Restore(Option<FileId>),
}

/// Updates the record and logs the change.
pub fn update(
    conn: &mut Conn,
    by: &ChangeContext,
    file: File,
    update: Update<'_>,
    kind: ChangeType,
) -> Result<File, Error> {
    let sequence = by.next_change(conn, 0)?;
    by.record(sequence, &by.change(kind, file.id));
    Ok(write(conn, file, update, sequence, by.at)?)
}

/// Updates the record. The change has been logged under `sequence`.
pub fn write(conn: &mut Conn, file: File, update: Update<'_>, sequence: i64, at: Timestamp) -> Result<File, Failure> {
    let mut file = File { change_sequence: sequence, updated_at: at, ..file };
    let row = files::table.find(file.id);
    let touched = (files::change_sequence.eq(sequence), files::updated_at.eq(at));
    file.meta_revision += 1;
    let revised = (files::meta_revision.eq(file.meta_revision), touched);
    match update {
        Update::Rename(name) => {
            name.as_str().clone_into(&mut file.name);
            let name_key = name_key(name.as_str());
            let named = (files::name.eq(name.as_str()), files::name_key.eq(&name_key));
            prepared(diesel::update(row).set((named, revised))).execute(conn)?;
            name_pieces::index(conn, file.workspace_id, file.id, &name_key)?;
            search_entries::write(file.workspace_id, file.id, sequence, at);
        }
        Update::Move(parent) => {
            file.parent_id = parent;
            prepared(diesel::update(row).set((files::parent_id.eq(parent), revised))).execute(conn)?;
        }
        Update::Trash => {
            file.state = FileState::Trashed;
            let trashed = (files::state.eq(file.state), files::trashed_at.eq(Some(at)));
            prepared(diesel::update(row).set((trashed, revised))).execute(conn)?;
        }
        Update::Restore(parent) => {
            (file.state, file.parent_id) = (FileState::Active, parent);
            let active = (files::state.eq(file.state), files::trashed_at.eq(None::<Timestamp>));
            prepared(diesel::update(row).set((active, files::parent_id.eq(parent), revised))).execute(conn)?;
        }
    }
    Ok(file)
}
