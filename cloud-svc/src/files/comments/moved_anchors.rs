//! Moves comments together with their cells: when a plan is applied, and back when a version is restored.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use shared_model::{Error, Failure, json_column::Json};
use shared_runtime::{Conn, insert_rows, on_each, state::db::prepared};

use super::{comment::text_bytes, store};
use crate::{
    base::{
        id_list::ROWS_TOGETHER,
        ids::{CommentId, FileId, VersionId},
        tables::{comments, moved_anchors},
    },
    workspace::{self, command::ChangeContext},
};
use cloud_content::anchor::Anchor;

/// A comment whose cells are somewhere else now.
#[derive(Clone, Debug)]
pub struct Move {
    pub comment: CommentId,
    pub before: Anchor,
    pub now: Anchor,
}

/// Moves comments. Versions up to `until` keep the anchors from before, which take storage; 413 if they do not fit.
// A file may have thousands of comments, and other writers wait meanwhile.
pub fn move_all(conn: &mut Conn, by: &ChangeContext, moves: &[Move], until: VersionId) -> Result<(), Error> {
    if moves.is_empty() {
        return Ok(());
    }
    let before = moves.iter().map(|Move { before, .. }| Ok(serde_json::to_string(before)?));
    let before = before.collect::<Result<Vec<String>, Failure>>()?;
    let bytes = before.iter().map(|anchor| text_bytes(anchor)).sum();
    workspace::store::take(conn, &by.author, bytes, by.at)?;
    for (moves, before) in moves.chunks(ROWS_TOGETHER).zip(before.chunks(ROWS_TOGETHER)) {
        let rows = moves.iter().zip(before).map(|(Move { comment, .. }, before)| {
            (
                moved_anchors::comment_id.eq(comment),
                moved_anchors::version_id.eq(until),
                moved_anchors::anchor.eq(before),
                moved_anchors::counted_bytes.eq(text_bytes(before)),
            )
        });
        insert_rows!(conn, rows, |row| diesel::insert_into(moved_anchors::table).values(row)).map_err(Failure::from)?;
        store::set_anchors(conn, moves.iter().map(|Move { comment, now, .. }| (*comment, now)), by.at)?;
    }
    Ok(())
}

/// Moves comments back to where they were in the version `earlier`. `until` is the current version before the restore.
// A comment that is newer than `earlier` has no row from then, so it stays where it is.
pub fn return_to(
    conn: &mut Conn,
    by: &ChangeContext,
    file: FileId,
    earlier: VersionId,
    until: VersionId,
) -> Result<(), Error> {
    // The first anchor that the comment left since `earlier` is the one that it had in `earlier`.
    let first_left = sql::<Bool>(
        "version_id = (SELECT min(version_id) FROM moved_anchors AS moved WHERE moved.comment_id = comments.id \
         AND moved.version_id >= ",
    );
    let first_left = first_left.bind::<BigInt, _>(earlier).sql(")");
    let moved = moved_anchors::table
        .inner_join(comments::table)
        .filter(comments::file_id.eq(file))
        .filter(first_left)
        .select((comments::id, comments::anchor, moved_anchors::anchor));
    let moved: Vec<(CommentId, Json<Anchor>, Json<Anchor>)> = prepared(moved).load(conn).map_err(Failure::from)?;
    // Otherwise a comment would get a new revision without a change.
    let moved = moved.into_iter().filter(|(_, now, then)| now != then);
    let moves: Vec<Move> = moved.map(|(comment, Json(before), Json(now))| Move { comment, before, now }).collect();
    move_all(conn, by, &moves, until)
}

/// What the anchors that a comment has left take of the workspace's storage.
pub fn bytes(conn: &mut Conn, comment: CommentId) -> Result<i64, Failure> {
    let left = moved_anchors::table
        .filter(moved_anchors::comment_id.eq(comment))
        .select(sql::<BigInt>("CAST(coalesce(sum(counted_bytes), 0) AS BIGINT)"));
    Ok(on_each!(conn, |c| left.get_result(c))?)
}
