//! How Cloud is used, in a few steps: shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

/// Operations in their order, each with what it is for.
const STEPS: &[(&str, &str)] = &[
    ("get_service", "the limits, and what this version does not do."),
    (
        "create_document",
        "makes a document in the workspace of the grant; `create_note`, `create_spreadsheet` and others do likewise.",
    ),
    ("get_document", "shows what it says, and its `ETag`."),
    ("propose_file_edit", "previews typed edits, bound to that `ETag`; nothing is altered."),
    ("apply_document_edit", "applies the plan as it was shown, once."),
    ("list_changes", "tells what happened since, without gaps."),
];

pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS);
}
