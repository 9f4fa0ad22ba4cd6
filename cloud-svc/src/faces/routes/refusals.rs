//! The refusals that operations of one sort share.

use shared_model::{Code, code, refusal::NextStep};
use shared_runtime::http::contract::Contract;

use crate::base::codes::{
    APPROVAL_REQUIRED, BLOCK_NOT_FOUND, FILE_TRASHED, FORMULA_NOT_ALLOWED, NAME_EXISTS, NOT_COMMENT_AUTHOR,
    PARENT_NOT_FOLDER, PARENT_TRASHED, PLAN_ALREADY_APPLIED, PLAN_DISCARDED, PLAN_EXPIRED, PLAN_REJECTED, PLAN_STALE,
    PLAN_STATE, QUOTA_EXCEEDED, RESPONSE_TOO_LARGE, WORKBOOK_READ_ONLY,
};

/// The next step where an agent may not make a change that is not a plan.
pub(super) const ANOTHER_WRITER: NextStep = NextStep::OtherActor("cloud.write");

/// Adds all of these codes.
pub(super) fn refuses_all<'c>(contract: &'c mut Contract, codes: &[&'static Code]) -> &'c mut Contract {
    codes.iter().fold(contract, |contract, code| contract.refuses(code))
}

/// Operations that add a file.
pub(super) fn adds(contract: &mut Contract) -> &mut Contract {
    put_somewhere(contract).refuses(&NAME_EXISTS).refuses(&QUOTA_EXCEEDED)
}

/// Operations that put a file into a folder.
pub(super) fn put_somewhere(contract: &mut Contract) -> &mut Contract {
    // The folder may be what is not found. The caller then corrects the folder, as with one that is not a folder.
    contract.refuses_with(&code::NOT_FOUND, PARENT_NOT_FOLDER.next).refuses(&PARENT_NOT_FOLDER).refuses(&PARENT_TRASHED)
}

/// Operations that find only files of one type: a file of another type leads to its own URL.
pub(super) fn of_type(contract: &mut Contract) -> &mut Contract {
    contract.refuses_with(&code::NOT_FOUND, NextStep::Refresh("/v1/files/{file_id}"))
}

/// Operations that change an active file.
pub(super) fn changes_file(contract: &mut Contract) -> &mut Contract {
    contract.refuses(&FILE_TRASHED)
}

pub(super) fn proposes(contract: &mut Contract) -> &mut Contract {
    contract
        .refuses(&FILE_TRASHED)
        .refuses(&WORKBOOK_READ_ONLY)
        .refuses(&BLOCK_NOT_FOUND)
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&RESPONSE_TOO_LARGE)
        .refuses(&QUOTA_EXCEEDED)
}

pub(super) fn applies(contract: &mut Contract) -> &mut Contract {
    contract
        .description(
            "Writes exactly the previewed content as a new version. A stale plan is refused; rebase it. `undo` is the \
             command that restores the old content. A plan that changes nothing adds no version.",
        )
        .refuses(&FILE_TRASHED)
        .refuses(&PLAN_STALE)
        .refuses(&PLAN_STATE)
        .refuses(&PLAN_EXPIRED)
        .refuses(&PLAN_DISCARDED)
        .refuses(&PLAN_REJECTED)
        .refuses(&PLAN_ALREADY_APPLIED)
        .refuses_with(&code::ETAG_MISMATCH, PLAN_STALE.next)
        .refuses_with(&APPROVAL_REQUIRED, NextStep::Refresh("/v1/files/{file_id}/edit-plans/{plan_id}"))
        .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
        .refuses(&QUOTA_EXCEEDED)
}

/// Steps of a plan that nobody has decided about yet.
pub(super) fn needs_open_plan(contract: &mut Contract) -> &mut Contract {
    refuses_all(contract, &[&PLAN_STATE, &PLAN_DISCARDED, &PLAN_REJECTED, &PLAN_ALREADY_APPLIED])
}

/// Steps of a review.
pub(super) fn reviews(contract: &mut Contract) -> &mut Contract {
    needs_open_plan(contract).refuses(&FILE_TRASHED).refuses(&PLAN_EXPIRED)
}

/// Operations on the caller's own comments.
pub(super) fn for_comment(contract: &mut Contract) -> &mut Contract {
    contract.refuses(&NOT_COMMENT_AUTHOR).refuses(&FILE_TRASHED)
}
