//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/request-review`: asks somebody else to review a plan.

use std::time::Duration;

use shared_model::{Error, code, json_column::Json, rule::Text};
use shared_runtime::{Answer, Body, Path};

use super::{
    plan::{Plan, PlanState, Review, ReviewState, StoredState},
    record::{PlanAnswer, PlanRecord},
    rules::{self, Step},
    store, verdict,
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        limits::REVIEW_PLAN_SECONDS,
        permissions::ProposeEdits,
    },
    files::{self, file::FileState, precondition},
    workspace::{
        changes::{Change, ChangeType},
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
            precondition::check_state(&file, FileState::Active, &by.links)?;
            verdict::check_state(by, &file, &plan, PlanState::Proposed)?;
            let sequence = by.next_change(conn, 0)?;
            let change = by.change(ChangeType::PlanReviewRequested, id);
            by.record(conn, sequence, &Change { plan: Some(plan.id), ..change })?;
            let plan = store::set_review(conn, requested(plan, by, note.clone()))?;
            Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &by.links, by.at)?)?)
        })
        .await
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
