//! The URLs of comments.

use shared_runtime::Routes;

use super::refusals::for_comment;
use crate::{
    base::{
        codes::{ANCHOR_NOT_FOUND, FILE_TRASHED},
        limits::{READ, WRITE},
    },
    files::comments,
};

pub(super) fn declare(routes: &mut Routes) {
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
