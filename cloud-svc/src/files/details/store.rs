//! The queries of details: the same number for one file and for a hundred.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::{
    dsl::count_star,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, identity::Actor, on_each, state::db::prepared};

use super::record::{Details, DetailsById, PathEntry};
use crate::{
    base::{
        id_list,
        ids::{FileId, UploadId, VersionId},
        owner::Owner,
        plan_state::OPEN,
        tables::{comments, edit_plans, manifests, versions},
    },
    files::{comments::comment::CommentStatus, file::File, protection, version_store::FIRST},
    workspace::limits,
};
use cloud_content::file_type::FileType;

/// The details of these files of the owner.
pub fn load(conn: &mut Conn, owner: Owner, files: &[File], now: Timestamp) -> Result<DetailsById, Failure> {
    let ids: Vec<FileId> = files.iter().map(|file| file.id).collect();
    let current: Vec<VersionId> = files.iter().filter_map(|file| file.current_version_id).collect();
    let mut written = written(conn, &current)?;
    let mut authors = first_authors(conn, &ids)?;
    let folders = folders(conn, owner, files)?;
    let roots = limits::roots(conn, owner)?;
    let open_comments = open_comments(conn, &ids)?;
    let open_plans = open_plans(conn, &ids, now)?;
    let mut tags = tags(conn, files)?;
    let mut protected = protection::store::of_files(conn, &ids)?;
    let details = files.iter().map(|file| {
        let Written { bytes, mime, by } = written.remove(&file.id).unwrap_or_default();
        let details = Details {
            bytes,
            mime,
            path: below_roots(&roots, path(&folders, file.parent_id)),
            created_by: authors.remove(&file.id),
            updated_by: by,
            open_comments: open_comments.get(&file.id).copied().unwrap_or_default(),
            open_plans: open_plans.get(&file.id).copied().unwrap_or_default(),
            tags: tags.remove(&file.id).unwrap_or_default(),
            protected: protected.remove(&file.id).map(|protection| protection.places).unwrap_or_default(),
        };
        (file.id, details)
    });
    Ok(details.collect())
}

#[derive(Default)]
struct Written {
    bytes: Option<i64>,
    mime: Option<String>,
    by: Option<Actor>,
}

fn written(conn: &mut Conn, current: &[VersionId]) -> Result<HashMap<FileId, Written>, Failure> {
    type Row = (FileId, i64, Json<Actor>, Option<UploadId>, Option<String>);
    let found: Vec<Row> = on_each!(conn, |c| versions::table
        .left_join(manifests::table.on(manifests::id.nullable().eq(versions::manifest_id)))
        .filter(versions::id.eq_any(current))
        .select((
            versions::file_id,
            versions::content_bytes,
            versions::created_by,
            versions::manifest_id,
            manifests::media_type.nullable(),
        ))
        .load(c))?;
    let row = |(file, bytes, Json(by), manifest, media_type): Row| {
        // Native content is downloaded as JSON.
        let mime = if manifest.is_some() { media_type } else { Some("application/json".to_owned()) };
        (file, Written { bytes: Some(bytes), mime, by: Some(by) })
    };
    Ok(found.into_iter().map(row).collect())
}

fn first_authors(conn: &mut Conn, ids: &[FileId]) -> Result<HashMap<FileId, Actor>, Failure> {
    let found: Vec<(FileId, Json<Actor>)> = on_each!(conn, |c| versions::table
        .filter(versions::file_id.eq_any(ids).and(versions::number.eq(FIRST)))
        .select((versions::file_id, versions::created_by))
        .load(c))?;
    Ok(found.into_iter().map(|(file, Json(actor))| (file, actor)).collect())
}

fn open_comments(conn: &mut Conn, ids: &[FileId]) -> Result<HashMap<FileId, i64>, Failure> {
    let found: Vec<(FileId, i64)> = on_each!(conn, |c| comments::table
        .filter(comments::file_id.eq_any(ids).and(comments::status.eq(CommentStatus::Open)))
        .group_by(comments::file_id)
        .select((comments::file_id, count_star()))
        .load(c))?;
    Ok(found.into_iter().collect())
}

fn open_plans(conn: &mut Conn, ids: &[FileId], now: Timestamp) -> Result<HashMap<FileId, i64>, Failure> {
    let found: Vec<(FileId, i64)> = on_each!(conn, |c| edit_plans::table
        .filter(edit_plans::file_id.eq_any(ids).and(edit_plans::expires_at.gt(now)))
        .filter(edit_plans::state.eq_any(OPEN))
        .group_by(edit_plans::file_id)
        .select((edit_plans::file_id, count_star()))
        .load(c))?;
    Ok(found.into_iter().collect())
}

#[derive(QueryableByName)]
struct Tags {
    #[diesel(sql_type = BigInt)]
    file_id: FileId,
    #[diesel(sql_type = Nullable<Text>)]
    tags: Option<String>,
}

/// The tags of the notes among these files.
// Taken out of the content by the database: a page of notes may have fifty megabytes.
fn tags(conn: &mut Conn, files: &[File]) -> Result<HashMap<FileId, Vec<String>>, Failure> {
    let notes = files.iter().filter(|file| file.kind == FileType::Note).filter_map(|file| file.current_version_id);
    let notes: Vec<i64> = notes.map(VersionId::number).collect();
    if notes.is_empty() {
        return Ok(HashMap::new());
    }
    let listed = id_list::parameter(conn, notes);
    let found: Vec<Tags> = match conn {
        Conn::Sqlite(conn) => {
            const SQL: &str = "SELECT file_id, json_extract(content, '$.tags') AS tags FROM versions
                WHERE id IN (SELECT value FROM json_each($1))";
            prepared(sql_query(SQL).bind::<Text, _>(listed)).load(conn)?
        }
        Conn::Postgres(conn) => {
            const SQL: &str = "SELECT file_id, CAST(CAST(content AS json) -> 'tags' AS text) AS tags FROM versions
                WHERE id = ANY(CAST($1 AS BIGINT[]))";
            prepared(sql_query(SQL).bind::<Text, _>(listed)).load(conn)?
        }
    };
    let parsed = |Tags { file_id, tags }: Tags| {
        let tags = tags.map(|tags| serde_json::from_str::<Option<Vec<String>>>(&tags)).transpose()?;
        Ok((file_id, tags.flatten().unwrap_or_default()))
    };
    found.into_iter().map(parsed).collect()
}

#[derive(QueryableByName)]
struct Folder {
    #[diesel(sql_type = BigInt)]
    id: FileId,
    #[diesel(sql_type = Nullable<BigInt>)]
    parent_id: Option<FileId>,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    is_active: bool,
    #[diesel(sql_type = Bool)]
    is_purged: bool,
}

/// The folders above these files.
fn folders(conn: &mut Conn, owner: Owner, files: &[File]) -> Result<BTreeMap<FileId, Folder>, Failure> {
    let parents: Vec<i64> = files.iter().filter_map(|file| file.parent_id).map(FileId::number).collect();
    if parents.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ((before, after), list) = (id_list::condition(conn, "id"), id_list::parameter(conn, parents));
    // UNION without ALL: files of one folder share its path.
    let sql = format!(
        "WITH RECURSIVE up (id, parent_id, name, state, purged_at) AS (
            SELECT id, parent_id, name, state, purged_at FROM files WHERE {before}$1{after} AND workspace_id = $2
            UNION SELECT folder.id, folder.parent_id, folder.name, folder.state, folder.purged_at
            FROM files folder JOIN up ON folder.id = up.parent_id
        ) SELECT id, parent_id, name, state = 'active' AS is_active, purged_at IS NOT NULL AS is_purged FROM up"
    );
    let query = sql_query(sql).bind::<Text, _>(list).bind::<BigInt, _>(owner.workspace());
    let found: Vec<Folder> = on_each!(conn, |c| prepared(query).load(c))?;
    Ok(found.into_iter().map(|folder| (folder.id, folder)).collect())
}

/// The path ends at a trashed folder, and before a purged one.
fn path(folders: &BTreeMap<FileId, Folder>, parent: Option<FileId>) -> Vec<PathEntry> {
    let above = std::iter::successors(parent.and_then(|id| folders.get(&id)), |folder| folders.get(&folder.parent_id?));
    let above: Vec<_> = above.collect();
    let mut path = Vec::with_capacity(above.len());
    for folder in above.into_iter().rev().take_while(|folder| !folder.is_purged) {
        path.push(PathEntry { id: folder.id, name: folder.name.clone() });
        if !folder.is_active {
            break;
        }
    }
    path
}

/// The path from a folder of an agent's limits on: what is above does not exist for it.
fn below_roots(roots: &BTreeSet<FileId>, path: Vec<PathEntry>) -> Vec<PathEntry> {
    if roots.is_empty() {
        return path;
    }
    // A path that ends above them, at a trashed folder, has nothing that the agent may see.
    let start = path.iter().position(|entry| roots.contains(&entry.id)).unwrap_or(path.len());
    path.into_iter().skip(start).collect()
}
