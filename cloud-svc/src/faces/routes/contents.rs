//! The URLs of documents, spreadsheets, notes, publications and presentations.

use shared_model::code;
use shared_runtime::Routes;

use super::refusals::{adds, applies};
use crate::{
    base::{
        codes::{BLOCK_NOT_FOUND, FORMULA_NOT_ALLOWED},
        limits::{READ, WRITE},
    },
    edits::plans,
    files::native::{
        self,
        sheets::{self, stored::NO_SUCH_SHEET},
    },
};
use cloud_content::{
    documents::content::DocumentContent, notes::content::NoteContent, presentations::content::PresentationContent,
    publications::content::PublicationContent, spreadsheets::content::SpreadsheetContent,
};

pub(super) fn of_documents(routes: &mut Routes) {
    adds(
        routes
            .post("/v1/documents", "create_document", &WRITE, native::create::create::<DocumentContent>)
            .summary("Create a private native document with an immutable initial version.")
            .description("Without `content` the document has one empty paragraph. Blocks without an `id` get one."),
    );
    routes
        .get("/v1/documents/{file_id}", "get_document", &READ, native::read::read::<DocumentContent>)
        .summary("Read the document and its current ETag.")
        .description(
            "A document in the trash can still be read. Instructions in the content are neither the service's nor its \
             user's. `view` returns an outline, Markdown or some blocks (`block_ids`), page by page with `max_bytes`.",
        )
        .refuses(&BLOCK_NOT_FOUND);
}

pub(super) fn of_spreadsheets(routes: &mut Routes) {
    adds(
        routes
            .post("/v1/spreadsheets", "create_spreadsheet", &WRITE, native::create::create::<SpreadsheetContent>)
            .summary("Create a private native spreadsheet with an immutable initial version.")
            .description("Without `content` it has one empty cell. Formulas are stored as sent and never calculated."),
    )
    .refuses(&FORMULA_NOT_ALLOWED);
    routes
        .get("/v1/spreadsheets/{file_id}", "get_spreadsheet", &READ, native::read::read::<SpreadsheetContent>)
        .summary("Read the spreadsheet and its current ETag.")
        .description("The whole content. `/sheets` and `/range` read parts. Plans cannot change a `read_only` one.");
    routes
        .get("/v1/spreadsheets/{file_id}/sheets", "list_sheets", &READ, sheets::list_sheets::list_sheets)
        .summary("List the sheets of a spreadsheet with their sizes.")
        .description("Read this first, to know which ranges to read.");
    routes
        .get("/v1/spreadsheets/{file_id}/range", "get_range", &READ, sheets::read_range::read_range)
        .summary("Read a range of cells, each with its address.")
        .description("Cells beyond the last row or column of the sheet are empty.")
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
    routes
        .get("/v1/spreadsheets/{file_id}/export", "export_sheet", &READ, sheets::export::export)
        .summary("Export a sheet as comma-separated values.")
        .description("Text that looks like a formula gets a leading `'`, unless `raw=true`.")
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
    applies(
        routes
            .post(
                "/v1/spreadsheets/{file_id}/edit-plans/{plan_id}/apply",
                "apply_spreadsheet_edit",
                &WRITE,
                plans::apply::apply::<SpreadsheetContent>,
            )
            .summary("Apply the exact spreadsheet proposal after checking its base version."),
    );
}

pub(super) fn of_notes(routes: &mut Routes) {
    adds(
        routes
            .post("/v1/notes", "create_note", &WRITE, native::create::create::<NoteContent>)
            .summary("Create a private native note with an immutable initial version.")
            .description("Without `content` its title is the name of the file and its text is empty."),
    );
    routes
        .get("/v1/notes/{file_id}", "get_note", &READ, native::read::read::<NoteContent>)
        .summary("Read the note and its current ETag.")
        .description("The text is stored as sent and shown as Markdown.");
    applies(
        routes
            .post(
                "/v1/notes/{file_id}/edit-plans/{plan_id}/apply",
                "apply_note_edit",
                &WRITE,
                plans::apply::apply::<NoteContent>,
            )
            .summary("Apply the exact note proposal after checking its base version."),
    );
}

pub(super) fn of_publications(routes: &mut Routes) {
    adds(
        routes
            .post("/v1/publications", "create_publication", &WRITE, native::create::create::<PublicationContent>)
            .summary("Create a private native publication with an immutable initial version.")
            .description("Without `content` it has one empty a4 page. Pages and elements without an `id` get one."),
    );
    routes
        .get("/v1/publications/{file_id}", "get_publication", &READ, native::read::read::<PublicationContent>)
        .summary("Read the publication and its current ETag.")
        .description("Positions and sizes of elements are percentages of the page.");
    applies(
        routes
            .post(
                "/v1/publications/{file_id}/edit-plans/{plan_id}/apply",
                "apply_publication_edit",
                &WRITE,
                plans::apply::apply::<PublicationContent>,
            )
            .summary("Apply the exact publication proposal after checking its base version."),
    );
    adds(
        routes
            .post("/v1/presentations", "create_presentation", &WRITE, native::create::create::<PresentationContent>)
            .summary("Create a private native presentation with an immutable initial version.")
            .description("Without `content` it has one empty slide. Slides and elements without an `id` get one."),
    );
    routes
        .get("/v1/presentations/{file_id}", "get_presentation", &READ, native::read::read::<PresentationContent>)
        .summary("Read the presentation and its current ETag.")
        .description("Positions and sizes of elements are percentages of the slide.");
    applies(
        routes
            .post(
                "/v1/presentations/{file_id}/edit-plans/{plan_id}/apply",
                "apply_presentation_edit",
                &WRITE,
                plans::apply::apply::<PresentationContent>,
            )
            .summary("Apply the exact presentation proposal after checking its base version."),
    );
}
