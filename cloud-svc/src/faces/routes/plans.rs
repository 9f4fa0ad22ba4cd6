//! The URLs of edit plans. Those that apply plans are in `contents.rs`.

use shared_model::code;
use shared_runtime::{Routes, http::contract::Contract};

use super::refusals::{needs_open_plan, of_type, proposes, reviews};
use crate::{
    base::{
        codes::{
            CHANGES_DEPEND, NOT_PLAN_AUTHOR, PERSON_REQUIRED, PLAN_CONFLICT, PLAN_EXPIRED, PLAN_STALE, SELF_APPROVAL,
        },
        limits::{READ, WRITE},
    },
    edits::{plans, word},
};

/// Operations that make a plan from an open one.
fn derives(contract: &mut Contract) -> &mut Contract {
    needs_open_plan(proposes(contract))
}

fn of_documents(routes: &mut Routes) {
    of_type(routes.get(
        "/v1/documents/{file_id}/edit-plans/{plan_id}/word",
        "export_plan_to_word",
        &READ,
        word::export::export,
    ))
    .summary("Export a plan for a document as a Word file with tracked changes.")
    .description(
        "With all changes accepted, the file has the text of the new version; with all rejected, that of the old one.",
    );
    of_type(routes.get(
        "/v1/documents/{file_id}/edit-plans/{plan_id}/word-choices",
        "read_word_choices",
        &READ,
        word::read_choices::read_choices,
    ))
    .summary("Read which changes somebody accepted and rejected in the Word file of a plan.")
    .description(
        "Upload the file first. Changes nothing: `split` makes a plan of the accepted changes. A change counts if its \
         whole paragraph or row was accepted or rejected.",
    )
    .refuses_with(&code::NOT_FOUND, word::read_choices::NO_SUCH_FILE)
    .refuses(&code::INVALID_FIELD);
}

pub(super) fn declare(routes: &mut Routes) {
    proposes(
        routes
            .post("/v1/files/{file_id}/edit-plans", "propose_file_edit", &WRITE, plans::propose::propose)
            .summary("Preview edits without changing the file.")
            .description(
                "Operations run in order, all or none. The answer shows each change and warning. Apply the plan at \
                 `apply_url` with the same `If-Match` within 15 minutes.",
            ),
    );
    routes
        .get("/v1/edit-plans", "list_workspace_plans", &READ, plans::inbox::list)
        .summary("List the open plans of the workspace.")
        .description("Newest first. `for=me` lists the plans that wait for your review.");
    routes
        .get("/v1/files/{file_id}/edit-plans", "list_edit_plans", &READ, plans::list::list)
        .summary("List the open plans for a file.")
        .description("Newest first, including plans by others and plans without a requested review.");
    routes
        .get("/v1/files/{file_id}/edit-plans/{plan_id}", "get_edit_plan", &READ, plans::read::read)
        .summary("Read a plan in any state.")
        .description(
            "Until 30 days after it expires. `stale` means that the file has changed since the proposal. With \
             `wait_seconds`, the answer waits while the plan is in review.",
        );
    derives(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/rebase", "rebase_edit_plan", &WRITE, plans::rebase::rebase)
            .summary("Propose the edits of a plan again, for the current file.")
            .description("Makes a new plan, unless somebody changed the same parts: `plan_conflict` names them."),
    )
    .refuses_with(&code::ETAG_MISMATCH, PLAN_STALE.next)
    .refuses(&PLAN_CONFLICT);
    derives(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/revise", "revise_edit_plan", &WRITE, plans::revise::revise)
            .summary("Replace your own plan with other edits.")
            .description(
                "The next revision, on the current content. Your first plan is discarded. If it had a review, the \
                 revision asks for one.",
            ),
    )
    .refuses(&NOT_PLAN_AUTHOR);
    derives(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/amend", "amend_edit_plan", &WRITE, plans::amend::amend)
            .summary("Add edits of your own to somebody else's plan.")
            .description(
                "Makes a plan of two authors, which neither of them can approve. The first plan is discarded.",
            ),
    )
    .refuses(&SELF_APPROVAL)
    .refuses(&PERSON_REQUIRED)
    .refuses(&PLAN_EXPIRED)
    .refuses(&PLAN_STALE);
    derives(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/split", "split_edit_plan", &WRITE, plans::split::split)
            .summary("Make a plan from some of the changes of another plan.")
            .description(
                "The other plan stays open until parts have made all its changes. After a part is applied, rebase the \
                 other plan: it then has the rest. Changes that need others are refused, and the problems name what \
                 they need. If you name all changes, the answer is the plan itself.",
            ),
    )
    .refuses(&CHANGES_DEPEND)
    .refuses(&PLAN_EXPIRED)
    .refuses(&PLAN_STALE);
    routes
        .get("/v1/files/{file_id}/edit-plans/{plan_id}/compare", "compare_edit_plans", &READ, plans::compare::compare)
        .summary("Compare what two plans for a file would write.")
        .description("For example a plan and its next revision, `with`.")
        .refuses_with(&code::NOT_FOUND, plans::compare::NO_SUCH_PLAN);
    of_documents(routes);
    needs_open_plan(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/discard",
                "discard_edit_plan",
                &WRITE,
                plans::discard::discard,
            )
            .summary("Discard your own plan.")
            .description("It can still be read, but no longer applied. Reviewers reject a plan instead."),
    )
    .refuses(&NOT_PLAN_AUTHOR);
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/request-review",
                "request_plan_review",
                &WRITE,
                plans::request_review::request_review,
            )
            .summary("Ask somebody else to review your plan.")
            .description(
                "The plan waits up to seven days for a verdict, and cannot be applied before it. A stale plan is \
                 refused; rebase it.",
            ),
    )
    .refuses(&PLAN_STALE)
    .refuses(&NOT_PLAN_AUTHOR);
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/approve",
                "approve_edit_plan",
                &WRITE,
                plans::approve::approve,
            )
            .summary("Approve somebody else's plan.")
            .description(
                "Only a person can, unless agents may review. Approves exactly the content that the plan shows \
                 (`proposal_sha256`), once. A stale plan is refused; rebase it.",
            ),
    )
    .refuses(&PLAN_STALE)
    .refuses(&SELF_APPROVAL)
    .refuses(&PERSON_REQUIRED);
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/return",
                "return_edit_plan",
                &WRITE,
                plans::return_plan::return_plan,
            )
            .summary("Send somebody else's plan back with a reason.")
            .description("Its author sees the reason and the remarks on changes, and revises the plan or discards it."),
    )
    .refuses(&PERSON_REQUIRED)
    .refuses(&SELF_APPROVAL);
    reviews(
        routes
            .post("/v1/files/{file_id}/edit-plans/{plan_id}/reject", "reject_edit_plan", &WRITE, plans::reject::reject)
            .summary("Reject somebody else's plan.")
            .description("The plan can no longer be applied. Its author sees the reason."),
    )
    .refuses(&PERSON_REQUIRED)
    .refuses(&SELF_APPROVAL);
}
