//! The URLs of edit plans, but for applying them, which is of each kind of content.

use shared_runtime::Routes;

use super::refusals::{applies, proposes, reviews};
use crate::{
    base::{
        codes::{PLAN_ALREADY_APPLIED, PLAN_CONFLICT, PLAN_DISCARDED, PLAN_REJECTED, SELF_APPROVAL},
        limits::{READ, WRITE},
    },
    edits::plans,
};
use cloud_content::documents::content::DocumentContent;

pub(super) fn declare(routes: &mut Routes) {
    proposes(
        routes
            .post("/v1/files/{file_id}/edit-plans", "propose_file_edit", &WRITE, plans::propose::propose)
            .summary("Preview typed edits, bound to the current ETag; the file is not altered.")
            .description(
                "The operations are carried out in their order, each on what those before it made, all or none. The \
                 answer shows every change and what a reviewer should look at. Apply it at `apply_url` with the same \
                 `If-Match` within 15 minutes.",
            ),
    );
    routes
        .get("/v1/files/{file_id}/edit-plans", "list_edit_plans", &READ, plans::list::list)
        .summary("List the plans for a file that can still be applied.")
        .description("Those of the grant, and those of others that are in review or approved. Newest first.");
    routes
        .get("/v1/files/{file_id}/edit-plans/{plan_id}", "get_edit_plan", &READ, plans::read::read)
        .summary("Read a plan, whatever has become of it.")
        .description("Until 30 days after its end. `stale` says whether the file has changed since it was proposed.");
    applies(
        routes
            .post(
                "/v1/documents/{file_id}/edit-plans/{plan_id}/apply",
                "apply_document_edit",
                &WRITE,
                plans::apply::apply::<DocumentContent>,
            )
            .summary("Apply the exact document proposal after checking its base version."),
    );
    proposes(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/rebase", "rebase_edit_plan", &WRITE, plans::rebase::rebase)
            .summary("Propose the edits of a plan anew, for the file as it is now.")
            .description(
                "A new plan with a preview of its own, if nothing that the plan touches has changed since; otherwise \
                 `plan_conflict` names what has.",
            ),
    )
    .refuses(&PLAN_CONFLICT)
    .refuses(&PLAN_ALREADY_APPLIED)
    .refuses(&PLAN_DISCARDED)
    .refuses(&PLAN_REJECTED);
    routes
        .post("/v1/files/{file_id}/edit-plans/{plan_id}/discard", "discard_edit_plan", &WRITE, plans::discard::discard)
        .summary("Give a plan up.")
        .description("It can still be read, and never be applied.")
        .refuses(&PLAN_ALREADY_APPLIED)
        .refuses(&PLAN_DISCARDED)
        .refuses(&PLAN_REJECTED);
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/request-review",
                "request_plan_review",
                &WRITE,
                plans::request_review::request_review,
            )
            .summary("Ask somebody else to look at a plan.")
            .description("The plan waits for a verdict, seven days at most, and is not applied before it."),
    );
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/approve",
                "approve_edit_plan",
                &WRITE,
                plans::approve::approve,
            )
            .summary("Allow that a plan of somebody else is applied.")
            .description("The approval is of the very content that the plan shows (`proposal_sha256`), once."),
    )
    .refuses(&SELF_APPROVAL);
    reviews(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/reject", "reject_edit_plan", &WRITE, plans::reject::reject)
            .summary("Forbid that a plan of somebody else is applied.")
            .description("The plan is at its end; its author reads the reason in it."),
    )
    .refuses(&SELF_APPROVAL);
}
