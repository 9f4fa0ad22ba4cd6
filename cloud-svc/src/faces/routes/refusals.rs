//! What operations of one sort refuse with: said once for all of them.

use shared_model::code;
use shared_runtime::http::contract::Contract;

use crate::base::codes::{
    APPROVAL_REQUIRED, BLOCK_NOT_FOUND, FILE_TRASHED, FORMULA_NOT_ALLOWED, NAME_EXISTS, NOT_COMMENT_AUTHOR,
    PARENT_NOT_FOLDER, PARENT_TRASHED, PLAN_ALREADY_APPLIED, PLAN_DISCARDED, PLAN_EXPIRED, PLAN_REJECTED, PLAN_STALE,
    PLAN_STATE, QUOTA_EXCEEDED, RESPONSE_TOO_LARGE, WORKBOOK_READ_ONLY,
};

/// Puts something new into a folder.
pub(super) fn adds(contract: &mut Contract) -> &mut Contract {
    put_somewhere(contract).refuses(&NAME_EXISTS).refuses(&QUOTA_EXCEEDED)
}

/// Puts something into a folder.
pub(super) fn put_somewhere(contract: &mut Contract) -> &mut Contract {
    contract.refuses_with(&code::NOT_FOUND, PARENT_NOT_FOLDER.next).refuses(&PARENT_NOT_FOLDER).refuses(&PARENT_TRASHED)
}

/// Changes an active file as its caller has seen it.
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
}

pub(super) fn applies(contract: &mut Contract) -> &mut Contract {
    contract
        .description(
            "Writes exactly what the plan has shown, as a new version, if nothing has changed since: a stale plan is \
             refused and says how to rebase it. `undo` is the command that brings the content before back. A plan that \
             changes nothing makes no version.",
        )
        .refuses(&FILE_TRASHED)
        .refuses(&PLAN_STALE)
        .refuses(&PLAN_EXPIRED)
        .refuses(&PLAN_DISCARDED)
        .refuses(&PLAN_REJECTED)
        .refuses(&PLAN_ALREADY_APPLIED)
        .refuses(&APPROVAL_REQUIRED)
        .refuses(&QUOTA_EXCEEDED)
}

/// Is a step of a plan's review.
pub(super) fn reviews(contract: &mut Contract) -> &mut Contract {
    contract
        .refuses(&FILE_TRASHED)
        .refuses(&PLAN_STATE)
        .refuses(&PLAN_EXPIRED)
        .refuses(&PLAN_DISCARDED)
        .refuses(&PLAN_REJECTED)
        .refuses(&PLAN_ALREADY_APPLIED)
}

/// Changes a comment of its caller's.
pub(super) fn for_comment(contract: &mut Contract) -> &mut Contract {
    contract.refuses(&NOT_COMMENT_AUTHOR).refuses(&FILE_TRASHED)
}
