//! What a rebased plan takes over from the one before: the author, and the review or approval.

use shared_model::{Error, json_column::Json};
use shared_runtime::Conn;

use super::{
    derive::{record, supersede},
    plan::{Plan, PlanState},
    request_review,
};
use crate::workspace::{changes::ChangeType, command::ChangeContext};

/// The plan to store in the place of `old`. A plan that was in review or approved is discarded: otherwise its approval
/// could be used twice.
pub fn succeed(
    conn: &mut Conn,
    by: &ChangeContext,
    old: Plan,
    made: Plan,
    shows_the_same: bool,
) -> Result<Plan, Error> {
    let new = Plan {
        // A rebase writes no edit. If it changed the author, the real author could approve the new plan. A reviewer who
        // brings a plan up to date could not.
        actor: old.actor.clone(),
        author_key: old.author_key.clone(),
        author_subject: old.author_subject.clone(),
        // The part of a plan stays one, and an amended plan keeps both authors.
        derived_from: old.derived_from,
        proposal_id: old.proposal_id,
        answers_comment_id: old.answers_comment_id,
        lineage: old.lineage.clone(),
        rebased_from: Some(old.id),
        rebased_by: (!by.author.is(&old.actor)).then(|| Json(by.author.actor.clone())),
        ..made
    };
    let Some(Json(review)) = old.review.clone() else { return Ok(new) };
    // Agents approve only where the workspace lets them, and that may have changed since.
    let is_approved = old.state(by.at) == PlanState::Approved && old.is_approved_by_person();
    let new = if shows_the_same && is_approved {
        let (review, expires_at) = (Some(Json(review)), old.expires_at);
        Plan { state: old.state, review, expires_at, is_approval_carried: true, ..new }
    } else {
        record(conn, by, &new, ChangeType::PlanReviewRequested)?;
        request_review::requested(new, by, review.note)
    };
    supersede(conn, by, old, new.id)?;
    Ok(new)
}
