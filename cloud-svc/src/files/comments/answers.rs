//! The plans that answer comments.

use std::collections::BTreeMap;

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, on_each, state::db::prepared};

use super::store;
use crate::base::{
    id_list,
    ids::{CommentId, FileId, PlanId},
    plan_state::StoredState,
};

/// Most plans that a comment shows.
const ANSWERS: usize = 10;

/// The newest plans that answer these comments, oldest first, without those that were discarded.
pub fn of_comments(conn: &mut Conn, ids: &[CommentId]) -> Result<BTreeMap<CommentId, Vec<PlanId>>, Failure> {
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = BigInt)]
        comment: CommentId,
        #[diesel(sql_type = Text)]
        plan: PlanId,
    }
    let (before, after) = id_list::condition(conn, "answers_comment_id");
    let sql = format!(
        "SELECT comment, plan FROM (
            SELECT answers_comment_id AS comment, id AS plan, created_at,
                row_number() OVER (PARTITION BY answers_comment_id ORDER BY created_at DESC, id DESC) AS place
            FROM edit_plans WHERE {before}$1{after} AND state <> '{discarded}'
        ) AS newest WHERE place <= {ANSWERS} ORDER BY created_at, plan",
        discarded = StoredState::Discarded.as_str()
    );
    let listed = id_list::parameter(conn, ids.iter().map(|id| id.number()));
    let found: Vec<Found> = on_each!(conn, |c| prepared(sql_query(sql).bind::<Text, _>(listed)).load(c))?;
    let mut answers = BTreeMap::<CommentId, Vec<PlanId>>::new();
    for Found { comment, plan } in found {
        answers.entry(comment).or_default().push(plan);
    }
    Ok(answers)
}

/// 422 unless the comment is one on this file.
pub fn check(conn: &mut Conn, file: FileId, comment: Option<CommentId>) -> Result<(), Error> {
    let Some(comment) = comment else { return Ok(()) };
    if store::find(conn, file, comment)?.is_some() {
        return Ok(());
    }
    let problem = Problem { at: "/answers_comment_id".to_owned(), rule: "must be a comment on this file".to_owned() };
    Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into())
}
