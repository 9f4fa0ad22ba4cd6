//! The rows of comments. Queries take the file, which the caller has checked.

use std::collections::HashMap;

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use serde_json::{Value, json};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::comment::{Comment, CommentStatus};
use crate::{
    base::{
        ids::{CommentId, FileId},
        tables::comments,
    },
    workspace::command::ChangeContext,
};
use cloud_content::anchor::Anchor;

pub fn insert(
    conn: &mut Conn,
    by: &ChangeContext,
    file: FileId,
    (text, anchor): (&str, &Anchor),
    parent_id: Option<CommentId>,
) -> Result<Comment, Failure> {
    let id = diesel::insert_into(comments::table)
        .values((
            comments::file_id.eq(file),
            comments::text.eq(text),
            comments::anchor.eq(serde_json::to_string(anchor)?),
            comments::actor.eq(by.author.actor_json.as_str()),
            comments::status.eq(CommentStatus::Open),
            comments::revision.eq(1),
            comments::created_at.eq(by.at),
            comments::updated_at.eq(by.at),
            comments::parent_id.eq(parent_id),
        ))
        .returning(comments::id)
        .get_result(conn)?;
    Ok(Comment {
        id,
        file_id: file,
        text: text.to_owned(),
        anchor: Json(anchor.clone()),
        actor: Json(by.author.actor.clone()),
        status: CommentStatus::Open,
        revision: 1,
        created_at: by.at,
        updated_at: by.at,
        resolved_at: None,
        parent_id,
    })
}

pub fn find(conn: &mut Conn, file: FileId, id: CommentId) -> Result<Option<Comment>, Failure> {
    // By file as well: the id of a comment on another file must not be found.
    let found = comments::table.filter(comments::id.eq(id).and(comments::file_id.eq(file)));
    Ok(found.select(Comment::as_select()).first(conn).optional()?)
}

/// Up to `rows` comments on a file that come after `after`, newest first.
pub fn list(
    conn: &mut Conn,
    file: FileId,
    status: Option<CommentStatus>,
    after: Option<CommentId>,
    rows: i64,
) -> Result<Vec<Comment>, Failure> {
    let mut query = comments::table
        .filter(comments::file_id.eq(file))
        .select(Comment::as_select())
        .order(comments::id.desc())
        .limit(rows)
        .into_boxed();
    if let Some(status) = status {
        query = query.filter(comments::status.eq(status));
    }
    if let Some(after) = after {
        query = query.filter(comments::id.lt(after));
    }
    Ok(query.load(conn)?)
}

pub fn set_text(conn: &mut Conn, comment: Comment, text: &str, at: Timestamp) -> Result<Comment, Failure> {
    let comment = Comment { text: text.to_owned(), revision: comment.revision + 1, updated_at: at, ..comment };
    let values = (comments::text.eq(text), comments::revision.eq(comment.revision), comments::updated_at.eq(at));
    prepared(diesel::update(comments::table.find(comment.id)).set(values)).execute(conn)?;
    Ok(comment)
}

pub fn set_status(conn: &mut Conn, comment: Comment, status: CommentStatus, at: Timestamp) -> Result<Comment, Failure> {
    let resolved_at = (status == CommentStatus::Resolved).then_some(at);
    let comment = Comment { status, resolved_at, revision: comment.revision + 1, updated_at: at, ..comment };
    let values = (
        comments::status.eq(status),
        comments::resolved_at.eq(resolved_at),
        comments::revision.eq(comment.revision),
        comments::updated_at.eq(at),
    );
    prepared(diesel::update(comments::table.find(comment.id)).set(values)).execute(conn)?;
    Ok(comment)
}

/// Anchors comments at these places.
// Counts as a new revision: the record that clients see has changed.
pub fn set_anchors<'a>(
    conn: &mut Conn,
    anchors: impl Iterator<Item = (CommentId, &'a Anchor)>,
    at: Timestamp,
) -> Result<(), Failure> {
    // One parameter for all, so that the text of the statement is always the same.
    let moved = anchors.map(|(id, anchor)| Ok(json!({"id": id.number(), "anchor": serde_json::to_string(anchor)?})));
    let moved = serde_json::to_string(&moved.collect::<Result<Vec<Value>, Failure>>()?)?;
    let table = match conn {
        Conn::Sqlite(_) => "(SELECT value ->> 'id' AS id, value ->> 'anchor' AS anchor FROM json_each($2)) AS moved",
        Conn::Postgres(_) => "json_to_recordset(CAST($2 AS JSON)) AS moved (id BIGINT, anchor TEXT)",
    };
    let sql = format!(
        "UPDATE comments SET anchor = moved.anchor, revision = revision + 1, updated_at = $1
        FROM {table} WHERE comments.id = moved.id"
    );
    let update = sql_query(sql).bind::<BigInt, _>(at).bind::<Text, _>(moved);
    on_each!(conn, |c| prepared(update).execute(c))?;
    Ok(())
}

pub fn delete(conn: &mut Conn, id: CommentId) -> Result<(), Failure> {
    diesel::delete(comments::table.find(id)).execute(conn)?;
    Ok(())
}

/// Open comments on a place in the file, with their anchors.
pub fn open_anchors(conn: &mut Conn, file: FileId) -> Result<Vec<(CommentId, Anchor)>, Failure> {
    let open = comments::table
        .filter(comments::file_id.eq(file).and(comments::status.eq(CommentStatus::Open)))
        // The stored anchor of a comment on the file as a whole.
        .filter(comments::anchor.ne("{}"))
        .select((comments::id, comments::anchor));
    let found: Vec<(CommentId, Json<Anchor>)> = on_each!(conn, |c| open.load(c))?;
    Ok(found.into_iter().map(|(id, Json(anchor))| (id, anchor)).collect())
}

/// Comments on cells of these files, with their anchors.
pub fn ranges(conn: &mut Conn, files: &[FileId]) -> Result<HashMap<FileId, Vec<(CommentId, Anchor)>>, Failure> {
    let found = comments::table
        // An anchor is stored as JSON with one member, so its text begins with the kind of place.
        .filter(comments::file_id.eq_any(files).and(comments::anchor.like("{\"range\":%")))
        .select((comments::file_id, comments::id, comments::anchor));
    let found: Vec<(FileId, CommentId, Json<Anchor>)> = on_each!(conn, |c| prepared(found).load(c))?;
    let mut of_files: HashMap<_, Vec<_>> = HashMap::new();
    for (file, id, Json(anchor)) in found {
        of_files.entry(file).or_default().push((id, anchor));
    }
    Ok(of_files)
}
