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
        .summary("Get a link to download a file or a version of it.")
        .description(
            "Uploads come as sent; other content as JSON, Markdown, the CSV of a sheet or a workbook. The link starts a download \
             within 120 seconds, without a token: anyone who has it can use it.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET)
        .refuses_with(&code::NOT_FOUND, NextStep::Correct);
    routes
        .get("/v1/downloads/{token}", "download_file", &DOWNLOAD, downloads::fetch::fetch)
        .summary("Download a file, or a range of it, with a link.")
        .description(
            "The link comes from `create_download_grant`. `Repr-Digest` has the SHA-256 of the whole file. The answer is \
             an attachment. All invalid links get the same 404.",
        )
        .refuses(&GRANT_INVALID);
}
