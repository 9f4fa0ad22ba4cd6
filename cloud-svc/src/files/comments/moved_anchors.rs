//! Comments whose cells move: by a plan that is applied, and back when a version is restored.

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

/// Lets a comment be about another place from now on; up to `until` it was about this one.
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

/// Lets the comments on a file be about what they were about in `earlier`, whose content follows on `until`. A comment of later
/// stays where it is.
pub fn return_to(
    conn: &mut Conn,
    file: FileId,
    earlier: VersionId,
    until: VersionId,
    at: Timestamp,
) -> Result<(), Failure> {
    // The first place that it has left since.
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
        if now != then {
            move_to(conn, comment, (&now, until), &then, at)?;
        }
    }
    Ok(())
}
