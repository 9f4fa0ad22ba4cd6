//! The URLs of drafts.

use shared_runtime::Routes;

use super::refusals::{adds, changes_file};
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
        .description(
            "All of them with all that they say, newest first. Other grants of the workspace see none of them.",
        );
    routes
        .get("/v1/scratch/{draft_id}", "get_scratch", &READ, drafts::read::read)
        .summary("Read a draft of the grant.")
        .description("Until seven days after it was last written, promoted or not.");
    routes
        .post("/v1/scratch", "create_scratch", &WRITE, drafts::create::create)
        .summary("Keep a draft for a week.")
        .description(
            "Content of one of the native types, under the rules of that type. A grant has at most 50 drafts with \
             4 000 000 bytes of content together; they count towards the quota of the workspace.",
        )
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&QUOTA_EXCEEDED)
        .refuses(&SCRATCH_FULL);
    routes
        .post("/v1/scratch/{draft_id}/update", "update_scratch", &WRITE, drafts::update::update)
        .summary("Write a draft anew.")
        .description("Its seven days begin again.")
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&DRAFT_PROMOTED)
        .refuses(&QUOTA_EXCEEDED)
        .refuses(&SCRATCH_FULL);
    routes
        .post("/v1/scratch/{draft_id}/discard", "discard_scratch", &WRITE, drafts::discard::discard)
        .summary("Let a draft go.")
        .description("A file that it has become stays.");
    changes_file(adds(
        routes
            .post("/v1/scratch/{draft_id}/promote", "promote_scratch", &WRITE, drafts::promote::promote)
            .summary("Make a file of a draft, or a version of one.")
            .description(
                "A new file at the top or in `parent_id`, or, with `file_id` and its `If-Match`, the next version of a \
                 file of the same type. The draft stays readable until its end. It is promoted once: whoever asks \
                 again, with whatever key and target, is answered with the same file.",
            ),
    ))
    .refuses(&FORMULA_NOT_ALLOWED)
    .refuses(&APPROVAL_REQUIRED)
    .refuses(&WORKBOOK_READ_ONLY);
}
