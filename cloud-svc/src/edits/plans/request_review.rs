//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/request-review`: asks somebody else to review a plan.

use std::time::Duration;

use shared_model::{Error, code, json_column::Json, rule::Text};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    derive::record,
    plan::{Plan, PlanState, Review, ReviewState},
    record::{PlanAnswer, PlanRecord},
    rules::{self, Step},
    store, verdict,
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        limits::REVIEW_PLAN_SECONDS,
        permissions::ProposeEdits,
        plan_state::StoredState,
    },
    files::{
        self,
        file::{File, FileState},
        precondition,
    },
    workspace::{
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};

shared_model::json_object! {
    /// A note to the reviewer.
    #[derive(Debug)]
    pub struct RequestReview {
        pub note: Option<String> as Text<1000>,
    }
    example = {"note": "The figures are those of the board."};
}

/// Requests a review.
pub async fn request_review(
    command: Command<ProposeEdits>,
    Path((id, plan)): Path<(FileId, PlanId)>,
    Body(RequestReview { note }): Body<RequestReview>,
) -> Result<Answer<PlanAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let (plan, preview) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
            rules::check(conn, by, &plan, Step::RequestReview)?;
            plan.check_alone(&by.links)?;
            let plan = ask(conn, by, &file, plan, note.clone())?;
            Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &by.links, by.at)?)?)
        })
        .await
}

/// Asks for the review of a plan that is proposed.
pub fn ask(conn: &mut Conn, by: &ChangeContext, file: &File, plan: Plan, note: Option<String>) -> Result<Plan, Error> {
    precondition::check_state(file, FileState::Active, &by.links)?;
    verdict::check_state(by, file, &plan, &[PlanState::Proposed])?;
    // Nobody could approve it before its rebase, which its author can do first.
    plan.check_current(&by.links, file)?;
    record(conn, by, &plan, ChangeType::PlanReviewRequested)?;
    Ok(store::set_review(conn, requested(plan, by, note))?)
}

/// The plan with a review that the caller requests now.
pub fn requested(plan: Plan, by: &ChangeContext, note: Option<String>) -> Plan {
    let review = Review {
        state: ReviewState::Requested,
        requested_by: by.author.actor.clone(),
        note,
        verdict: None,
        by: None,
        reason: None,
        on: Vec::new(),
        at: None,
    };
    // People need days, while an unreviewed plan expires after minutes.
    let expires_at = by.at.plus(Duration::from_secs(REVIEW_PLAN_SECONDS));
    Plan { state: StoredState::InReview, review: Some(Json(review)), expires_at, ..plan }
}
