//! What all verdicts share.

use std::time::Duration;

use shared_model::{Error, Failure, NextAction, Problem, Refusal, code, json_column::Json};
use shared_runtime::{Answer, Conn};

use super::{
    change_note::ChangeNote,
    plan::{Plan, PlanState, Review, ReviewState, StoredPreview, Verdict},
    receipt,
    record::{PlanAnswer, PlanRecord},
    rules::{self, Step},
    store,
};
use crate::{
    base::{
        codes,
        ids::{FileId, PlanId},
        limits::REVIEW_PLAN_SECONDS,
        other_state,
        plan_state::StoredState,
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

/// What a reviewer says of a plan.
#[derive(Default)]
pub struct Words {
    pub reason: Option<String>,
    pub on: Vec<ChangeNote>,
}

/// Stores a verdict on a plan of somebody else.
pub fn give(
    conn: &mut Conn,
    by: &ChangeContext,
    (id, plan): (FileId, PlanId),
    verdict: Verdict,
    words: Words,
) -> Result<Answer<PlanAnswer>, Error> {
    let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
    let (plan, preview) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
    // Before the state: nobody can approve a plan of their own, in any state.
    rules::check(conn, by, &plan, step(verdict))?;
    plan.check_alone(&by.links)?;
    let plan = judge(conn, by, (&file, plan, &preview), verdict, words)?;
    Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &by.links, by.at)?)?)
}

/// The step that gives this verdict.
pub fn step(verdict: Verdict) -> Step {
    match verdict {
        Verdict::Approved => Step::Approve,
        Verdict::Returned => Step::Return,
        Verdict::Rejected => Step::Reject,
    }
}

/// The states of a plan in which a verdict is possible.
// An approval can be taken back until the plan is applied: a reviewer may notice a mistake afterwards.
fn wanted(verdict: Verdict) -> &'static [PlanState] {
    match verdict {
        Verdict::Approved => &[PlanState::InReview],
        Verdict::Returned | Verdict::Rejected => &[PlanState::InReview, PlanState::Approved],
    }
}

/// Stores a verdict on a plan that the caller may decide about.
pub fn judge(
    conn: &mut Conn,
    by: &ChangeContext,
    (file, plan, preview): (&File, Plan, &str),
    verdict: Verdict,
    words: Words,
) -> Result<Plan, Error> {
    precondition::check_state(file, FileState::Active, &by.links)?;
    check_state(by, file, &plan, wanted(verdict))?;
    // A stale plan can never be applied, so its approval would be lost. A rejection has the same meaning either way.
    if verdict == Verdict::Approved {
        plan.check_current(&by.links, file)?;
    }
    check_notes(preview, &words.on)?;
    settle(conn, by, plan, verdict, words)
}

/// Stores a verdict without looking at the file or at the time.
pub fn settle(conn: &mut Conn, by: &ChangeContext, plan: Plan, verdict: Verdict, words: Words) -> Result<Plan, Error> {
    let asked = plan.review.clone().map(|Json(review)| review);
    let asked = asked.ok_or_else(|| Failure::fault("a plan in review has no review"))?;
    let (state, kind, decision) = match verdict {
        Verdict::Approved => (StoredState::Approved, ChangeType::PlanApproved, Decision::Approved),
        Verdict::Returned => (StoredState::Returned, ChangeType::PlanReturned, Decision::Returned),
        Verdict::Rejected => (StoredState::Rejected, ChangeType::PlanRejected, Decision::Rejected),
    };
    let review = Review {
        state: ReviewState::Done,
        verdict: Some(verdict),
        by: Some(by.author.actor.clone()),
        reason: words.reason,
        on: words.on,
        at: Some(by.at),
        ..asked
    };
    // Of the plans with a verdict, only an approved one can still be applied: the others need no content.
    let freed = if verdict == Verdict::Approved { 0 } else { plan.content_bytes };
    let sequence = by.next_change(conn, -freed)?;
    by.record(sequence, &Change { plan: Some(plan.id), ..by.change(kind, plan.file_id) });
    // A verdict does not prolong the plan, but an author needs days to answer words.
    let expires_at = match verdict {
        Verdict::Returned => by.at.plus(Duration::from_secs(REVIEW_PLAN_SECONDS)),
        Verdict::Approved | Verdict::Rejected => plan.expires_at,
    };
    let plan = Plan { state, review: Some(Json(review)), expires_at, ..plan };
    let plan = match verdict {
        Verdict::Approved => store::set_review(conn, plan)?,
        Verdict::Returned | Verdict::Rejected => store::set_refused(conn, plan)?,
    };
    receipt::write(by, &plan, decision);
    Ok(plan)
}

/// 422 for a remark on a change that the plan does not have.
fn check_notes(preview: &str, on: &[ChangeNote]) -> Result<(), Error> {
    // A preview may be megabytes, and most verdicts have no remarks.
    if on.is_empty() {
        return Ok(());
    }
    let count = StoredPreview::kinds(preview)?.len();
    let problems: Vec<Problem> = on
        .iter()
        .enumerate()
        .filter(|(_, note)| note.change.index() >= count)
        .map(|(index, _)| Problem {
            at: format!("/on/{index}/change"),
            rule: format!("must be the number of a change; the plan has {count}"),
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_FIELD, problems).into()) }
}

/// 409 unless the plan is in one of these states.
pub fn check_state(by: &ChangeContext, file: &File, plan: &Plan, wanted: &[PlanState]) -> Result<(), Refusal> {
    let state = plan.state(by.at);
    if wanted.contains(&state) {
        return Ok(());
    }
    plan.check_open(&by.links, file)?;
    let href = format!("{}/edit-plans/{}", by.links.href(file.id), plan.id);
    if state == PlanState::Expired {
        return Err(plan.rebase_first(&codes::PLAN_EXPIRED, &by.links, file));
    }
    let wanted: Vec<_> = wanted.iter().map(|state| state.as_str()).collect();
    let message = other_state::message("plan", &wanted, state.as_str());
    Err(codes::PLAN_STATE.because(message).next(NextAction::Refresh { href, etag: None }))
}
