//! Every URL of the service, with its limit; the permission is the first argument of the verb.

use shared_model::code;
use shared_runtime::{Routes, http::contract::Contract, idempotency};

use crate::{
    codes::{
        ANCHOR_NOT_FOUND, APPROVAL_REQUIRED, BLOCK_NOT_FOUND, FILE_NOT_TRASHED, FILE_TRASHED, FORMULA_NOT_ALLOWED,
        NAME_EXISTS, NOT_COMMENT_AUTHOR, PARENT_CYCLE, PARENT_NOT_FOLDER, PARENT_TRASHED, PLAN_ALREADY_APPLIED,
        PLAN_CONFLICT, PLAN_DISCARDED, PLAN_EXPIRED, PLAN_REJECTED, PLAN_STALE, PLAN_STATE, QUOTA_EXCEEDED,
        RESPONSE_TOO_LARGE, SELF_APPROVAL, WORKBOOK_READ_ONLY,
    },
    comments,
    documents::content::DocumentContent,
    edit_plans,
    files::{self, list::NO_SUCH_FOLDER},
    folders,
    limits::{PUBLIC, READ, WRITE},
    native,
    notes::content::NoteContent,
    permissions::ReadFiles,
    presentations::content::PresentationContent,
    publications::content::PublicationContent,
    search, service_information,
    spreadsheets::{self, content::SpreadsheetContent, stored::NO_SUCH_SHEET},
    versions, workspaces,
};

/// Declares the routes.
pub fn declare(routes: &mut Routes) {
    service(routes);
    tree(routes);
    contents(routes);
    of_spreadsheets(routes);
    of_notes(routes);
    of_publications(routes);
    of_versions(routes);
    plans(routes);
    of_comments(routes);
    routes
        .get("/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<ReadFiles>)
        .summary("Whether a command with this idempotency key has happened.")
        .description(idempotency::LOOKUP_DESCRIPTION);
}

fn service(routes: &mut Routes) {
    routes
        .get("/v1/service", "get_service", &PUBLIC, service_information::read)
        .summary("What this service is, its limits, and what it does not do yet.")
        .description(
            "For programs that adapt: read `limits` before you send much, and `unsupported` before you count on \
             anything. Public, and the same for everyone.",
        );
    routes
        .get(service_information::MANIFEST_PATH, "get_developer_manifest", &PUBLIC, service_information::manifest)
        .summary("Where everything that a developer needs is.")
        .description(
            "Links to the OpenAPI document, the service information and the metadata about tokens, and the scopes \
             that there are. Public.",
        );
    routes
        .get("/v1/workspaces", "list_workspaces", &READ, workspaces::list::list)
        .summary("The one workspace that the grant selects, and who acts.")
        .description(
            "A grant selects exactly one workspace, so the list has exactly one; its storage counts the bytes of \
             all versions.",
        );
    routes
        .get("/v1/search", "search_files", &READ, search::search)
        .summary("Search the files of the workspace by name and type.")
        .description(
            "Newest first. A name is found by any part of it, whatever the case, width and composition of its \
             letters; `%`, `_` and `\\` are letters like others. What is in the trash, or in a folder that is, is not \
             found. What was written before is found.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
}

fn tree(routes: &mut Routes) {
    routes
        .get("/v1/files", "list_files", &READ, files::list::list)
        .summary("List the files of a folder, of the top or of the workspace.")
        .description(
            "Newest first. `parent_id=root` is the top; `state=trashed` is the trash. What is in a folder in the trash \
             is hidden by it.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
    routes
        .get("/v1/files/{file_id}", "get_file", &READ, files::read::read)
        .summary("Read the record of a file or folder of any type.")
        .description(
            "A file in the trash can still be read. With `If-None-Match` of the current tag the answer is 304.",
        );
    adds(
        routes
            .post("/v1/folders", "create_folder", &WRITE, folders::create::create)
            .summary("Create a folder.")
            .description(
                "Folders are at most 32 deep, and each holds at most 10000 files. Names need not be unique; with \
                 `If-None-Match: *` a name that the folder has already is refused.",
            ),
    );
    changes_file(
        routes
            .post("/v1/files/{file_id}/rename", "rename_file", &WRITE, files::rename::rename)
            .summary("Give a file another name.")
            .description("With `If-None-Match: *` a name that the folder has already is refused."),
    )
    .refuses(&NAME_EXISTS);
    put_somewhere(changes_file(
        routes
            .post("/v1/files/{file_id}/move", "move_file", &WRITE, files::move_to::move_to)
            .summary("Put a file into another folder.")
            .description("`parent_id: null` is the top. A folder moves with all that is in it, at once."),
    ))
    .refuses(&PARENT_CYCLE)
    .refuses(&NAME_EXISTS);
    adds(
        routes
            .post("/v1/files/{file_id}/copy", "copy_file", &WRITE, files::copy::copy)
            .summary("Make another file with the same content.")
            .description(
                "The current version, with the ids of its parts, without comments and plans; name and folder are the \
                 same where none are given. Folders are not copied.",
            ),
    )
    .refuses(&FILE_TRASHED);
    changes_file(
        routes
            .post("/v1/files/{file_id}/trash", "trash_file", &WRITE, files::trash::trash)
            .summary("Put a file, or a folder with all that is in it, into the trash.")
            .description("What is in the folder is hidden until it is restored. After 30 days it is purged."),
    );
    put_somewhere(
        routes
            .post("/v1/files/{file_id}/restore", "restore_file", &WRITE, files::restore::restore)
            .summary("Take a file out of the trash.")
            .description(
                "Into its folder, wherever that is by now, or to the top where that is gone; with `parent_id` into \
                 another.",
            ),
    )
    .refuses_with(&PARENT_TRASHED, shared_model::refusal::NextStep::Refresh("/v1/files/{file_id}"))
    .refuses(&FILE_NOT_TRASHED);
    routes
        .post("/v1/files/{file_id}/purge", "purge_file", &WRITE, files::purge::purge)
        .summary("Delete a file in the trash for good, with all its versions.")
        .description(
            "Its storage is given back. Purging a folder purges what is in it, but for what was in the trash on its \
             own: that is restored to the top. This cannot be undone.",
        )
        .refuses(&FILE_NOT_TRASHED);
}

fn contents(routes: &mut Routes) {
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

fn of_spreadsheets(routes: &mut Routes) {
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
        .get("/v1/spreadsheets/{file_id}/sheets", "list_sheets", &READ, spreadsheets::list_sheets::list_sheets)
        .summary("List the sheets of a spreadsheet with their sizes.")
        .description("What an agent reads first, to ask for the ranges that it needs.");
    routes
        .get("/v1/spreadsheets/{file_id}/range", "get_range", &READ, spreadsheets::read_range::read_range)
        .summary("Read some cells of a sheet, each with its address.")
        .description("Addresses are absolute. Cells beyond the sheet's last row or column are empty.")
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
    routes
        .get("/v1/spreadsheets/{file_id}/export", "export_sheet", &READ, spreadsheets::export::export)
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
                edit_plans::apply::apply::<SpreadsheetContent>,
            )
            .summary("Apply the exact spreadsheet proposal after checking its base version."),
    );
}

fn of_notes(routes: &mut Routes) {
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
                edit_plans::apply::apply::<NoteContent>,
            )
            .summary("Apply the exact note proposal after checking its base version."),
    );
}

fn of_publications(routes: &mut Routes) {
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
                edit_plans::apply::apply::<PublicationContent>,
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
                edit_plans::apply::apply::<PresentationContent>,
            )
            .summary("Apply the exact presentation proposal after checking its base version."),
    );
}

fn of_versions(routes: &mut Routes) {
    routes
        .get("/v1/files/{file_id}/versions", "list_versions", &READ, versions::list::list)
        .summary("List the versions of a file.")
        .description("Newest first. Versions never change, and stay until the file is purged. A folder has none.");
    routes
        .get("/v1/files/{file_id}/versions/{version_id}", "get_version", &READ, versions::read::read)
        .summary("Read a version of a file, current or not.")
        .description("`content` has the shape that the type of the file has.");
    changes_file(
        routes
            .post(
                "/v1/files/{file_id}/versions/{version_id}/restore",
                "restore_version",
                &WRITE,
                versions::restore::restore,
            )
            .summary("Make a new version with the content of an earlier one.")
            .description("This is how an applied plan is undone. Nothing is lost: the version before stays."),
    )
    .refuses(&WORKBOOK_READ_ONLY)
    .refuses(&QUOTA_EXCEEDED);
}

fn plans(routes: &mut Routes) {
    proposes(
        routes
            .post("/v1/files/{file_id}/edit-plans", "propose_file_edit", &WRITE, edit_plans::propose::propose)
            .summary("Preview typed edits, bound to the current ETag; the file is not altered.")
            .description(
                "The operations are carried out in their order, each on what those before it made, all or none. The \
                 answer shows every change and what a reviewer should look at. Apply it at `apply_url` with the same \
                 `If-Match` within 15 minutes.",
            ),
    );
    routes
        .get("/v1/files/{file_id}/edit-plans", "list_edit_plans", &READ, edit_plans::list::list)
        .summary("List the plans for a file that can still be applied.")
        .description("Those of the grant, and those of others that are in review or approved. Newest first.");
    routes
        .get("/v1/files/{file_id}/edit-plans/{plan_id}", "get_edit_plan", &READ, edit_plans::read::read)
        .summary("Read a plan, whatever has become of it.")
        .description("Until 30 days after its end. `stale` says whether the file has changed since it was proposed.");
    applies(
        routes
            .post(
                "/v1/documents/{file_id}/edit-plans/{plan_id}/apply",
                "apply_document_edit",
                &WRITE,
                edit_plans::apply::apply::<DocumentContent>,
            )
            .summary("Apply the exact document proposal after checking its base version."),
    );
    proposes(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/rebase",
                "rebase_edit_plan",
                &WRITE,
                edit_plans::rebase::rebase,
            )
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
        .post(
            "/v1/files/{file_id}/edit-plans/{plan_id}/discard",
            "discard_edit_plan",
            &WRITE,
            edit_plans::discard::discard,
        )
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
                edit_plans::request_review::request_review,
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
                edit_plans::approve::approve,
            )
            .summary("Allow that a plan of somebody else is applied.")
            .description("The approval is of the very content that the plan shows (`proposal_sha256`), once."),
    )
    .refuses(&SELF_APPROVAL);
    reviews(
        routes
            .post(
                "/v1/files/{file_id}/edit-plans/{plan_id}/reject",
                "reject_edit_plan",
                &WRITE,
                edit_plans::reject::reject,
            )
            .summary("Forbid that a plan of somebody else is applied.")
            .description("The plan is at its end; its author reads the reason in it."),
    )
    .refuses(&SELF_APPROVAL);
}

fn of_comments(routes: &mut Routes) {
    routes
        .get("/v1/files/{file_id}/comments", "list_comments", &READ, comments::list::list)
        .summary("List the comments on a file.")
        .description("Newest first. `orphaned` names those that are about something that the content has no more.");
    routes
        .post("/v1/files/{file_id}/comments", "create_comment", &WRITE, comments::create::create)
        .summary("Comment on a file, or on a place in it.")
        .description("The file is not changed, nor is its ETag. The comment has an ETag of its own.")
        .refuses(&FILE_TRASHED)
        .refuses(&ANCHOR_NOT_FOUND);
    for_comment(
        routes
            .post("/v1/files/{file_id}/comments/{comment_id}/edit", "edit_comment", &WRITE, comments::edit::edit)
            .summary("Let a comment of your own say something else.")
            .description("`If-Match` is the comment's tag."),
    );
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/resolve",
                "resolve_comment",
                &WRITE,
                comments::resolve::resolve,
            )
            .summary("Resolve your own comment without changing the file.")
            .description("`If-Match` is the comment's tag. One that is resolved already stays as it is."),
    );
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/reopen",
                "reopen_comment",
                &WRITE,
                comments::reopen::reopen,
            )
            .summary("Open a resolved comment of your own again.")
            .description("`If-Match` is the comment's tag. One that is open already stays as it is."),
    );
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/delete",
                "delete_comment",
                &WRITE,
                comments::delete::delete,
            )
            .summary("Delete a comment of your own.")
            .description("`If-Match` is the comment's tag. This cannot be undone."),
    );
}

/// Puts something new into a folder.
fn adds(contract: &mut Contract) -> &mut Contract {
    put_somewhere(contract).refuses(&NAME_EXISTS).refuses(&QUOTA_EXCEEDED)
}

/// Puts something into a folder.
fn put_somewhere(contract: &mut Contract) -> &mut Contract {
    contract.refuses_with(&code::NOT_FOUND, PARENT_NOT_FOLDER.next).refuses(&PARENT_NOT_FOLDER).refuses(&PARENT_TRASHED)
}

/// Changes an active file as its caller has seen it.
fn changes_file(contract: &mut Contract) -> &mut Contract {
    contract.refuses(&FILE_TRASHED)
}

/// Makes a plan.
fn proposes(contract: &mut Contract) -> &mut Contract {
    contract
        .refuses(&FILE_TRASHED)
        .refuses(&WORKBOOK_READ_ONLY)
        .refuses(&BLOCK_NOT_FOUND)
        .refuses(&FORMULA_NOT_ALLOWED)
        .refuses(&RESPONSE_TOO_LARGE)
}

/// Applies a plan.
fn applies(contract: &mut Contract) -> &mut Contract {
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
fn reviews(contract: &mut Contract) -> &mut Contract {
    contract
        .refuses(&FILE_TRASHED)
        .refuses(&PLAN_STATE)
        .refuses(&PLAN_EXPIRED)
        .refuses(&PLAN_DISCARDED)
        .refuses(&PLAN_REJECTED)
        .refuses(&PLAN_ALREADY_APPLIED)
}

/// Changes a comment of its caller's.
fn for_comment(contract: &mut Contract) -> &mut Contract {
    contract.refuses(&NOT_COMMENT_AUTHOR).refuses(&FILE_TRASHED)
}
