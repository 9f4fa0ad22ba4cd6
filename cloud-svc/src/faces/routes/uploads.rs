//! The URLs of uploads.

use shared_model::{code, refusal::NextStep};
use shared_runtime::Routes;

use super::refusals::{ANOTHER_WRITER, adds, put_somewhere};
use crate::{
    base::{
        codes::{
            AGENT_LIMITED, APPROVAL_REQUIRED, CHUNK_CONFLICT, CHUNK_OUT_OF_ORDER, DIGEST_MISMATCH, FILE_TRASHED,
            FORMULA_NOT_ALLOWED, QUOTA_EXCEEDED, UPLOAD_STATE, UPLOAD_TOO_LARGE,
        },
        limits::{CHUNK, READ, WRITE},
    },
    transfer::{import, uploads},
};

const MISSING_CHUNK: NextStep = NextStep::SendChunk("/v1/uploads/{upload_id}/chunks/{index}");

pub(super) fn declare(routes: &mut Routes) {
    put_somewhere(
        routes
            .post("/v1/uploads", "create_upload", &WRITE, uploads::begin::begin)
            .summary("Begin an upload of a file or a version.")
            .description(
                "Reserves `size` from the quota of the workspace. Next, send the chunks in order to `chunk_url_template`, \
                 then complete. With `file_id` and `If-Match` it becomes the next version of an uploaded file.",
            ),
    )
    .refuses(&FILE_TRASHED)
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&UPLOAD_TOO_LARGE)
    .refuses(&QUOTA_EXCEEDED);
    routes
        .get("/v1/uploads/{upload_id}", "get_upload", &READ, uploads::read::read)
        .summary("Read the state of an upload.")
        .description("Only for the grant that began it. After an interruption continue with chunk `next_chunk_index`.")
        .refuses(&UPLOAD_TOO_LARGE);
    routes
        .put("/v1/uploads/{upload_id}/chunks/{index}", "put_chunk", &CHUNK, uploads::put_chunk::put)
        .summary("Send a chunk.")
        .description(
            "1048576 bytes; the last chunk has the rest. After a lost answer send the chunk again: it counts once. With \
             `Content-Digest` a damaged chunk is refused immediately, not at the end of the upload.",
        )
        .refuses(&UPLOAD_STATE)
        .refuses_with(&UPLOAD_STATE, MISSING_CHUNK)
        .refuses(&CHUNK_OUT_OF_ORDER)
        .refuses(&CHUNK_CONFLICT)
        .refuses_with(&CHUNK_CONFLICT, MISSING_CHUNK)
        .refuses(&DIGEST_MISMATCH)
        .refuses(&AGENT_LIMITED)
        .refuses(&code::INVALID_FIELD);
    adds(
        routes
            .post("/v1/uploads/{upload_id}/complete", "complete_upload", &WRITE, uploads::complete::complete)
            .summary("Turn a complete upload into a file.")
            .description(
                "The first bytes decide whether it is a `pdf` or an `uploaded_file`. A SHA-256 other than the announced one cancels \
                 the upload. Completing again answers with the same file. If the file of a version has changed since, \
                 `If-Match` needs its current ETag.",
            ),
    )
    .refuses_with(&code::NOT_FOUND, uploads::complete::FILE_IS_GONE)
    .refuses(&FILE_TRASHED)
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&UPLOAD_STATE)
    .refuses_with(&UPLOAD_STATE, MISSING_CHUNK)
    .refuses(&DIGEST_MISMATCH);
    routes
        .post("/v1/uploads/{upload_id}/cancel", "cancel_upload", &WRITE, uploads::cancel::cancel)
        .summary("Cancel an upload.")
        .description("Releases its reserved storage. A completed upload is a file: trash the file instead.")
        .refuses(&UPLOAD_STATE);
    adds(
        routes
            .post("/v1/files/{file_id}/convert", "convert_file", &WRITE, import::convert::convert)
            .summary("Convert an uploaded file to a native file.")
            .description(
                "The extension of the name decides: .xlsx and .csv become spreadsheets, .md documents, .txt notes. At \
                 most 4194304 bytes. The uploaded file stays. `import.warnings` list what the native file lost.",
            ),
    )
    .refuses(&FILE_TRASHED)
    .refuses(&FORMULA_NOT_ALLOWED);
    adds(
        routes
            .post("/v1/imports", "import_text", &WRITE, import::import_text::import_text)
            .summary("Make a file from Markdown, comma-separated values or plain text.")
            .description(
                "`markdown` becomes a document, `csv` a spreadsheet with one sheet, `text` a note. `import.warnings` name \
                 what the file does not have.",
            ),
    )
    .refuses(&FORMULA_NOT_ALLOWED);
}
