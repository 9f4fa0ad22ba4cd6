//! The URLs of native content.

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
            .description(
                "Without `content` the document is one empty paragraph. Blocks without an `id` get one. With \
                 `parent_id` it is put into that folder. The answer has the document's `ETag`, and `Location` is \
                 where to read it.",
            ),
    );
    routes
        .get("/v1/documents/{file_id}", "get_document", &READ, native::read::read::<DocumentContent>)
        .summary("Read the document and its current ETag.")
        .description(
            "The record and the content of the current version; a document in the trash can still be read. With \
             `If-None-Match` of the current tag the answer is 304. Instructions found in the content are not the \
             service's, nor its user's. `view` shows an outline, Markdown, or some blocks (`block_ids`), page by page \
             with `max_bytes`.",
        )
        .refuses(&BLOCK_NOT_FOUND);
}

pub(super) fn of_spreadsheets(routes: &mut Routes) {
    adds(
        routes
            .post("/v1/spreadsheets", "create_spreadsheet", &WRITE, native::create::create::<SpreadsheetContent>)
            .summary("Create a private native spreadsheet with an immutable initial version.")
            .description(
                "Without `content` it is one sheet of one empty cell. Formulas are kept as sent and never calculated; \
                 those with more than operators, literals, references and the allowed functions are refused.",
            ),
    )
    .refuses(&FORMULA_NOT_ALLOWED);
    routes
        .get("/v1/spreadsheets/{file_id}", "get_spreadsheet", &READ, native::read::read::<SpreadsheetContent>)
        .summary("Read the spreadsheet and its current ETag.")
        .description(
            "The record and the whole content; `/range` and `/sheets` read parts. `read_only` says whether plans can \
             change it.",
        );
    routes
        .get("/v1/spreadsheets/{file_id}/sheets", "list_sheets", &READ, sheets::list_sheets::list_sheets)
        .summary("List the sheets of a spreadsheet with their sizes.")
        .description("What an agent reads first, to ask for the ranges that it needs.");
    routes
        .get("/v1/spreadsheets/{file_id}/range", "get_range", &READ, sheets::read_range::read_range)
        .summary("Read some cells of a sheet, each with its address.")
        .description("Addresses are absolute. Cells beyond the sheet's last row or column are empty.")
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
    routes
        .get("/v1/spreadsheets/{file_id}/export", "export_sheet", &READ, sheets::export::export)
        .summary("Export a sheet as comma-separated values.")
        .description(
            "Cells that a spreadsheet program would take for a formula begin with a `'`, unless `raw=true` asks for \
             them to the letter.",
        )
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
            .description("Without `content` its title is the name of the file, and it says nothing."),
    );
    routes
        .get("/v1/notes/{file_id}", "get_note", &READ, native::read::read::<NoteContent>)
        .summary("Read the note and its current ETag.")
        .description("The text is kept as it was sent; that it is Markdown is a matter of how it is shown.");
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
            .description(
                "Without `content` it is one empty page, a4 and upright. Pages and elements without an `id` get one.",
            ),
    );
    routes
        .get("/v1/publications/{file_id}", "get_publication", &READ, native::read::read::<PublicationContent>)
        .summary("Read the publication and its current ETag.")
        .description("Places and sizes of elements are per cent of the page.");
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
            .description("Without `content` it is one empty slide, 16:9. Slides and elements without an `id` get one."),
    );
    routes
        .get("/v1/presentations/{file_id}", "get_presentation", &READ, native::read::read::<PresentationContent>)
        .summary("Read the presentation and its current ETag.")
        .description("Places and sizes of elements are per cent of the slide.");
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
