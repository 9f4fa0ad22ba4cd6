//! The plans that answer comments.

use std::collections::BTreeMap;

use diesel::prelude::*;
use shared_model::{Error, Failure, Problem, Refusal, code};
use shared_runtime::{Conn, on_each};

use super::store;
use crate::base::{
    ids::{CommentId, FileId, PlanId},
    tables::edit_plans,
};

/// The plans that answer these comments, without those that were discarded.
pub fn of_comments(conn: &mut Conn, ids: &[CommentId]) -> Result<BTreeMap<CommentId, Vec<PlanId>>, Failure> {
    let found: Vec<(Option<CommentId>, PlanId)> = on_each!(conn, |c| edit_plans::table
        .filter(edit_plans::answers_comment_id.eq_any(ids).and(edit_plans::state.ne("discarded")))
        .select((edit_plans::answers_comment_id, edit_plans::id))
        .order((edit_plans::created_at, edit_plans::id))
        .load(c))?;
    let mut answers = BTreeMap::<CommentId, Vec<PlanId>>::new();
    for (comment, plan) in found {
        if let Some(comment) = comment {
            answers.entry(comment).or_default().push(plan);
        }
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
