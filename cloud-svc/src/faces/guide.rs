//! The first steps with Cloud, shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

// In the order in which a new client calls them.
const STEPS: &[(&str, &str)] = &[
    ("get_service", "the limits, and what this version does not do."),
    (
        "create_document",
        "creates a document in the workspace of the grant; so do `create_note`, `create_spreadsheet` and others.",
    ),
    ("get_document", "returns its content and its `ETag`."),
    ("propose_file_edit", "previews edits for that `ETag` without changing the file."),
    ("apply_document_edit", "applies the plan as it was previewed, once."),
    ("list_changes", "returns the changes since then, without gaps."),
];

pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS).documents(docs::CLOUD);
}
