//! The URLs of uploads.

use shared_model::refusal::NextStep;
use shared_runtime::Routes;

use super::refusals::{adds, put_somewhere};
use crate::{
    base::{
        codes::{
            APPROVAL_REQUIRED, CHUNK_CONFLICT, CHUNK_OUT_OF_ORDER, DIGEST_MISMATCH, FILE_TRASHED, QUOTA_EXCEEDED,
            UPLOAD_STATE, UPLOAD_TOO_LARGE,
        },
        limits::{CHUNK, READ, WRITE},
    },
    transfer::uploads,
};

/// The chunk that is missing.
const MISSING_CHUNK: NextStep = NextStep::SendChunk("/v1/uploads/{upload_id}/chunks/{index}");

pub(super) fn declare(routes: &mut Routes) {
    put_somewhere(
        routes
            .post("/v1/uploads", "create_upload", &WRITE, uploads::begin::begin)
            .summary("Begin to upload a file, or a version of one.")
            .description(
                "`size` is reserved of the workspace's quota until the upload ends. Then send the chunks in their order \
                 to `chunk_url_template`, and complete. `mime` is a claim that nobody relies on. With `file_id` and its \
                 `If-Match` it becomes the next version of a file that was uploaded.",
            ),
    )
    .refuses(&FILE_TRASHED)
    .refuses(&APPROVAL_REQUIRED)
    .refuses(&UPLOAD_TOO_LARGE)
    .refuses(&QUOTA_EXCEEDED);
    routes
        .get("/v1/uploads/{upload_id}", "get_upload", &READ, uploads::read::read)
        .summary("Read how far an upload is.")
        .description(
            "By the grant that has begun it. After any interruption go on with the chunk of `next_chunk_index`. Kept \
             for seven days after `expires_at`.",
        )
        .refuses(&UPLOAD_TOO_LARGE);
    routes
        .put("/v1/uploads/{upload_id}/chunks/{index}", "put_chunk", &CHUNK, uploads::put_chunk::put)
        .summary("Send a chunk.")
        .description(
            "1 048 576 bytes; the last one has the rest. It is durable when it is answered. The same chunk again is \
             answered in the same way and counts once, so after a lost answer send it again. With `Content-Digest` \
             what was damaged on the way is refused and sent again, not noticed in the end. No request waits for \
             another: a connection that is stuck can be left behind.",
        )
        .refuses(&UPLOAD_STATE)
        .refuses_with(&UPLOAD_STATE, MISSING_CHUNK)
        .refuses(&CHUNK_OUT_OF_ORDER)
        .refuses(&CHUNK_CONFLICT)
        .refuses_with(&CHUNK_CONFLICT, MISSING_CHUNK)
        .refuses(&DIGEST_MISMATCH)
        .refuses(&shared_model::code::INVALID_FIELD);
    adds(
        routes
            .post("/v1/uploads/{upload_id}/complete", "complete_upload", &WRITE, uploads::complete::complete)
            .summary("Make a file of an upload whose chunks have all come.")
            .description(
                "A `pdf` when it begins like one, whatever was claimed, else an `uploaded_file`. What has another \
                 SHA-256 than was said is refused, and the upload is cancelled. Completing what is completed answers \
                 with the same file. A version of a file that has changed since the upload began needs an `If-Match` \
                 of now.",
            ),
    )
    .refuses(&FILE_TRASHED)
    .refuses(&APPROVAL_REQUIRED)
    .refuses(&UPLOAD_STATE)
    .refuses_with(&UPLOAD_STATE, MISSING_CHUNK)
    .refuses(&DIGEST_MISMATCH);
    routes
        .post("/v1/uploads/{upload_id}/cancel", "cancel_upload", &WRITE, uploads::cancel::cancel)
        .summary("Give an upload up.")
        .description("What it has reserved is free again. A completed upload is a file by now: trash that.")
        .refuses(&UPLOAD_STATE);
}
