//! The URLs of downloads.

use shared_model::{code, refusal::NextStep};
use shared_runtime::Routes;

use crate::{
    base::{
        codes::GRANT_INVALID,
        limits::{DOWNLOAD, READ},
    },
    files::native::sheets::stored::NO_SUCH_SHEET,
    transfer::downloads,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .post("/v1/files/{file_id}/download-grants", "create_download_grant", &READ, downloads::grant::grant)
        .summary("Get a link to download a file, or a version of one.")
        .description(
            "What was uploaded comes as it was sent; native content as JSON, as Markdown, or a sheet as CSV. The link is \
             good for beginning a download within 120 seconds, without a token: whoever has it can download the file. \
             Nothing is written, so there is no idempotency key.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET)
        .refuses_with(&code::NOT_FOUND, NextStep::Correct);
    routes
        .get("/v1/downloads/{token}", "download_file", &DOWNLOAD, downloads::fetch::fetch)
        .summary("The bytes of a file, or a range of them, for whoever has the link.")
        .description(
            "The link comes from `create_download_grant`, and is used as it is. Knows one `Range`, `If-Range` with an \
             entity tag, and `If-None-Match`; `Repr-Digest` has the SHA-256 of the whole. Always an attachment, and \
             never of a type that was claimed. Every bad link is the same 404.",
        )
        .refuses(&GRANT_INVALID);
}
