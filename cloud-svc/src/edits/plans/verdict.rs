//! What approving and rejecting share.

use shared_model::{Error, NextAction, Refusal, code, json_column::Json};
use shared_runtime::{Answer, Conn};

use super::{
    plan::{Plan, PlanAnswer, PlanRecord, PlanState, Review, ReviewState, StoredState, Verdict},
    receipt,
    rules::{self, Step},
    store,
};
use crate::{
    base::{
        codes,
        ids::{FileId, PlanId},
    },
    edits::receipts::receipt::Decision,
    files::{
        self,
        file::{File, FileState},
        precondition,
    },
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
    },
};

/// Stores a verdict on a plan of somebody else.
pub fn give(
    conn: &mut Conn,
    by: &ChangeContext,
    (id, plan): (FileId, PlanId),
    verdict: Verdict,
    reason: Option<String>,
) -> Result<Answer<PlanAnswer>, Error> {
    let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
    let (plan, preview) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
    // Before the state: nobody can approve a plan of their own, in any state.
    let step = match verdict {
        Verdict::Approved => Step::Approve,
        Verdict::Rejected => Step::Reject,
    };
    rules::check(conn, by, &plan, step)?;
    precondition::check_state(&file, FileState::Active, &by.links)?;
    check_state(by, &file, &plan, PlanState::InReview)?;
    // A stale plan can never be applied, so its approval would be lost. A rejection has the same meaning either way.
    if verdict == Verdict::Approved {
        plan.check_current(&by.links, &file)?;
    }
    let asked = plan.review.clone().map(|Json(review)| review);
    let asked = asked.ok_or_else(|| shared_model::Failure::fault("a plan in review has no review"))?;
    let (state, kind, decision) = match verdict {
        Verdict::Approved => (StoredState::Approved, ChangeType::PlanApproved, Decision::Approved),
        Verdict::Rejected => (StoredState::Rejected, ChangeType::PlanRejected, Decision::Rejected),
    };
    let review = Review {
        state: ReviewState::Done,
        verdict: Some(verdict),
        by: Some(by.author.actor.clone()),
        reason,
        at: Some(by.at),
        ..asked
    };
    let sequence = by.next_change(conn, 0)?;
    by.record(conn, sequence, &Change { plan: Some(plan.id), ..by.change(kind, id) })?;
    // A verdict does not prolong the plan.
    let plan = store::set_review(conn, Plan { state, review: Some(Json(review)), ..plan })?;
    receipt::write(conn, by, &plan, decision)?;
    Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &by.links, by.at)?)?)
}

/// 409 unless the plan is in this state.
pub fn check_state(by: &ChangeContext, file: &File, plan: &Plan, wanted: PlanState) -> Result<(), Refusal> {
    let state = plan.state(by.at);
    if state == wanted {
        return Ok(());
    }
    plan.check_open(&by.links, file)?;
    let href = format!("{}/edit-plans/{}", by.links.href(file.id), plan.id);
    if state == PlanState::Expired {
        return Err(plan.rebase_first(&codes::PLAN_EXPIRED, &by.links, file));
    }
    let message = format!("The plan must be {} for this, and is {}.", wanted.as_str(), state.as_str());
    Err(codes::PLAN_STATE.because(message).next(NextAction::Refresh { href, etag: None }))
}
