//! The agents that comments call.

use std::collections::{BTreeSet, HashSet};

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use shared_model::{Error, Failure};
use shared_runtime::{Conn, state::db::prepared};

use super::{
    comment::{Comment, CommentStatus},
    named::{named, possible},
};
use crate::{
    base::{
        author,
        ids::CommentId,
        owner::Owner,
        tables::{comments, files, mentions},
    },
    files::{file::FileState, tree},
    workspace::{
        agents,
        changes::{Change, ChangeType},
        command::ChangeContext,
        limits,
    },
};

/// Notes which agents the text of a comment calls now. If it calls another one than before, the feed reports it.
pub fn note(conn: &mut Conn, by: &ChangeContext, comment: &Comment) -> Result<(), Error> {
    let ids = possible(&comment.text);
    let known: HashSet<String> = agents::known(conn, by.workspace(), &ids)?.into_iter().collect();
    // Somebody who writes his own name calls nobody.
    let own = author::key(&by.author.actor);
    let called: BTreeSet<String> = named(&comment.text, &known).iter().map(|id| author::agent_key(id)).collect();
    let called: BTreeSet<String> = called.into_iter().filter(|key| *key != own).collect();
    let of_comment = mentions::table.filter(mentions::comment_id.eq(comment.id));
    let before: Vec<String> = of_comment.select(mentions::author_key).load(conn).map_err(Failure::from)?;
    let before: BTreeSet<String> = before.into_iter().collect();
    for key in before.difference(&called) {
        let gone = diesel::delete(mentions::table.find((comment.id, key)));
        prepared(gone).execute(conn).map_err(Failure::from)?;
    }
    let mut is_new = false;
    for key in called.difference(&before) {
        is_new = true;
        let row = (
            mentions::comment_id.eq(comment.id),
            mentions::author_key.eq(key),
            mentions::workspace_id.eq(by.workspace()),
        );
        diesel::insert_into(mentions::table).values(row).execute(conn).map_err(Failure::from)?;
    }
    if is_new {
        let sequence = by.next_change(conn, 0)?;
        let change = by.change(ChangeType::AgentMentioned, comment.file_id);
        by.record(sequence, &Change { comment: Some(comment.id), ..change });
    }
    Ok(())
}

/// Up to `rows` comments that call this actor, on files that it sees, newest first, with the names of their files.
pub fn of_actor(
    conn: &mut Conn,
    owner: Owner,
    key: &str,
    status: Option<CommentStatus>,
    after: Option<CommentId>,
    rows: i64,
) -> Result<Vec<(Comment, String)>, Failure> {
    let is_of = mentions::workspace_id.eq(owner.workspace()).and(mentions::author_key.eq(key));
    // Without the sum, PostgreSQL may go through all comments, to merge them with few mentions.
    let is_mentioned_in = comments::id.eq(mentions::comment_id + 0);
    let mut query = mentions::table
        .inner_join(comments::table.on(is_mentioned_in))
        .inner_join(files::table.on(files::id.eq(comments::file_id)))
        .filter(is_of)
        .filter(files::state.eq(FileState::Active).and(files::purged_at.is_null()))
        .filter(sql::<Bool>(tree::IS_VISIBLE))
        .select((Comment::as_select(), files::name))
        // The index of mentions has this order.
        .order(mentions::comment_id.desc())
        .limit(rows)
        .into_boxed();
    limits::within_limits!(query, owner);
    if let Some(status) = status {
        query = query.filter(comments::status.eq(status));
    }
    if let Some(after) = after {
        query = query.filter(mentions::comment_id.lt(after));
    }
    Ok(prepared(query).load(conn)?)
}
