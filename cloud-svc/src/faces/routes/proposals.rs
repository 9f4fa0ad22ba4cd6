//! The URLs of proposals: plans for several files that are decided together.

use shared_model::{code, refusal::NextStep};
use shared_runtime::{Routes, http::contract::Contract};

use super::refusals::{ANOTHER_WRITER, reviews};
use crate::{
    base::{
        codes::{
            APPROVAL_REQUIRED, NOT_PLAN_AUTHOR, PERSON_REQUIRED, PLAN_CONFLICT, PLAN_EXPIRED, PLAN_STALE,
            PROPOSAL_STATE, QUOTA_EXCEEDED, SELF_APPROVAL, WORKBOOK_READ_ONLY,
        },
        limits::{READ, WRITE},
    },
    edits::proposals::{
        self,
        add_plans::{NO_SUCH_PLAN, NO_SUCH_PLAN_TO_ADD},
    },
};

/// What helps where a plan is stale or expired.
const REBASE: NextStep = NextStep::Rebase("/v1/proposals/{proposal_id}/rebase");
const REQUEST_REVIEW: NextStep = NextStep::RequestReview("/v1/proposals/{proposal_id}/request-review");
const REFRESH: NextStep = NextStep::Refresh("/v1/proposals/{proposal_id}");

/// The plans may each refuse what all of them are asked.
fn decides(contract: &mut Contract) -> &mut Contract {
    reviews(contract).refuses(&PROPOSAL_STATE)
}

pub(super) fn declare(routes: &mut Routes) {
    decides(
        routes
            .post("/v1/proposals", "create_proposal", &WRITE, proposals::create::create)
            .summary("Combine plans for several files.")
            .description(
                "Your own open plans, one for each file. From then on they are decided together, all or none.",
            ),
    )
    .refuses_with(&code::NOT_FOUND, NO_SUCH_PLAN)
    .refuses(&NOT_PLAN_AUTHOR);
    routes
        .get("/v1/proposals", "list_proposals", &READ, proposals::list::list)
        .summary("List the proposals of the workspace.")
        .description("Newest first, without their plans.");
    routes
        .get("/v1/proposals/{proposal_id}", "get_proposal", &READ, proposals::read::read)
        .summary("Read a proposal with its plans.")
        .description("Read a plan to see its changes.");
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/plans", "change_proposal", &WRITE, proposals::change::change)
            .summary("Add plans to a proposal, or take some out.")
            .description(
                "Only before a review is requested. Plans for files in a folder in the trash leave the proposal.",
            ),
    )
    .refuses_with(&code::NOT_FOUND, NO_SUCH_PLAN_TO_ADD)
    .refuses_with(&PLAN_EXPIRED, REBASE)
    .refuses(&NOT_PLAN_AUTHOR);
    decides(
        routes
            .post(
                "/v1/proposals/{proposal_id}/request-review",
                "request_proposal_review",
                &WRITE,
                proposals::request_review::request_review,
            )
            .summary("Ask somebody else to review a proposal.")
            .description("It waits up to seven days for a verdict on all its plans, and cannot be applied before it."),
    )
    .refuses_with(&PLAN_STALE, REBASE)
    .refuses_with(&PLAN_EXPIRED, REBASE)
    .refuses(&NOT_PLAN_AUTHOR);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/approve", "approve_proposal", &WRITE, proposals::decide::approve)
            .summary("Approve all plans of somebody else's proposal.")
            .description(
                "For those who may approve plans. Approves just the plans that you have seen (`proposal_sha256`), once.",
            ),
    )
    .refuses_with(&PLAN_STALE, REBASE)
    .refuses_with(&PLAN_EXPIRED, REBASE)
    .refuses(&SELF_APPROVAL)
    .refuses(&PERSON_REQUIRED);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/reject", "reject_proposal", &WRITE, proposals::decide::reject)
            .summary("Reject all plans of somebody else's proposal.")
            .description("None of them can be applied anymore. Their author sees the reason."),
    )
    .refuses(&PERSON_REQUIRED)
    .refuses(&SELF_APPROVAL);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/discard", "discard_proposal", &WRITE, proposals::discard::discard)
            .summary("Discard your own proposal with its plans.")
            .description("To keep a plan, take it out of the proposal first."),
    )
    .refuses(&NOT_PLAN_AUTHOR);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/rebase", "rebase_proposal", &WRITE, proposals::rebase::rebase)
            .summary("Bring the stale plans of a proposal up to date.")
            .description("If one of them changes, an approval ends, and the proposal is in review again."),
    )
    .refuses(&PLAN_CONFLICT)
    .refuses(&WORKBOOK_READ_ONLY)
    .refuses(&QUOTA_EXCEEDED);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/apply", "apply_proposal", &WRITE, proposals::apply::apply)
            .summary("Apply all plans of a proposal in one transaction.")
            .description(
                "Just the plans that you have seen (`proposal_sha256`). All files change, or none. The refusal of a \
                 plan names it; rebase the proposal if it is stale.",
            ),
    )
    .refuses_with(&PLAN_STALE, REBASE)
    .refuses_with(&PLAN_EXPIRED, REBASE)
    .refuses_with(&APPROVAL_REQUIRED, REQUEST_REVIEW)
    .refuses_with(&APPROVAL_REQUIRED, REFRESH)
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&QUOTA_EXCEEDED);
    decides(
        routes
            .post("/v1/proposals/{proposal_id}/undo", "undo_proposal", &WRITE, proposals::undo::undo)
            .summary("Restore the earlier content of all files of an applied proposal.")
            .description("All or none: refused if one of the files has changed since."),
    )
    .refuses_with(&PLAN_STALE, NextStep::Refresh("/v1/files/{file_id}"))
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&WORKBOOK_READ_ONLY)
    .refuses(&QUOTA_EXCEEDED);
}
