//! Moves comments together with their cells: when a plan is applied, and back when a version is restored.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, state::db::prepared};

use super::store;
use crate::base::{
    ids::{CommentId, FileId, VersionId},
    tables::{comments, moved_anchors},
};
use cloud_content::anchor::Anchor;

/// Anchors the comment at `now`. Versions up to `until` keep the anchor `before`.
pub fn move_to(
    conn: &mut Conn,
    comment: CommentId,
    (before, until): (&Anchor, VersionId),
    now: &Anchor,
    at: Timestamp,
) -> Result<(), Failure> {
    diesel::insert_into(moved_anchors::table)
        .values((
            moved_anchors::comment_id.eq(comment),
            moved_anchors::version_id.eq(until),
            moved_anchors::anchor.eq(serde_json::to_string(before)?),
        ))
        .execute(conn)?;
    store::set_anchor(conn, comment, now, at)
}

/// Moves comments back to where they were in the version `earlier`. `until` is the current version before the restore.
// A comment that is newer than `earlier` has no row from then, so it stays where it is.
pub fn return_to(
    conn: &mut Conn,
    file: FileId,
    earlier: VersionId,
    until: VersionId,
    at: Timestamp,
) -> Result<(), Failure> {
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
    let moved: Vec<(CommentId, Json<Anchor>, Json<Anchor>)> = prepared(moved).load(conn)?;
    for (comment, Json(now), Json(then)) in moved {
        // Otherwise the comment would get a new revision without a change.
        if now != then {
            move_to(conn, comment, (&now, until), &then, at)?;
        }
    }
    Ok(())
}
