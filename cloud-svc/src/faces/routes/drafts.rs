//! The URLs of drafts.

use shared_runtime::Routes;

use super::refusals::{ANOTHER_WRITER, adds, changes_file};
use crate::{
    base::{
        codes::{
            APPROVAL_REQUIRED, DRAFT_PROMOTED, FORMULA_NOT_ALLOWED, QUOTA_EXCEEDED, SCRATCH_FULL, WORKBOOK_READ_ONLY,
        },
        limits::{READ, WRITE},
    },
    edits::drafts,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/scratch", "list_scratch", &READ, drafts::list::list)
        .summary("List the drafts of the grant.")
        .description("Newest first, with their content. Other grants of the workspace cannot see them.");
    routes
        .get("/v1/scratch/{draft_id}", "get_scratch", &READ, drafts::read::read)
        .summary("Read a draft of the grant.")
        .description("Until seven days after its last change, even if it is promoted.");
    routes
        .post("/v1/scratch", "create_scratch", &WRITE, drafts::create::create)
        .of_grant()
        .summary("Store a draft for a week.")
        .description("A grant has at most 50 drafts with 4000000 bytes in total. They use storage of the workspace.")
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&QUOTA_EXCEEDED)
        .refuses(&SCRATCH_FULL);
    routes
        .post("/v1/scratch/{draft_id}/update", "update_scratch", &WRITE, drafts::update::update)
        .of_grant()
        .summary("Change a draft.")
        .description("Its seven days start over.")
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&DRAFT_PROMOTED)
        .refuses(&QUOTA_EXCEEDED)
        .refuses(&SCRATCH_FULL);
    routes
        .post("/v1/scratch/{draft_id}/discard", "discard_scratch", &WRITE, drafts::discard::discard)
        .of_grant()
        .summary("Delete a draft.")
        .description("If it is promoted, its file stays.");
    changes_file(adds(
        routes
            .post("/v1/scratch/{draft_id}/promote", "promote_scratch", &WRITE, drafts::promote::promote)
            .of_grant()
        .summary("Turn a draft into a file, or into a version of a file.")
            .description(
                "Makes a new file, or with `file_id` and `If-Match` the next version of a file of the same type. A draft \
                 is promoted once: every later promotion answers with the same file.",
            ),
    ))
    .refuses(&FORMULA_NOT_ALLOWED)
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&WORKBOOK_READ_ONLY);
}
