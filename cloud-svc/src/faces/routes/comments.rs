//! The URLs of comments.

use shared_runtime::Routes;

use super::refusals::for_comment;
use crate::{
    base::{
        codes::{ANCHOR_NOT_FOUND, FILE_TRASHED, QUOTA_EXCEEDED},
        limits::{READ, WRITE},
    },
    files::comments,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/files/{file_id}/comments", "list_comments", &READ, comments::list::list)
        .summary("List the comments on a file.")
        .description(
            "Newest first. `orphaned` lists comments on deleted parts; `parents` names the parent of each reply.",
        );
    routes
        .get("/v1/mentions", "list_mentions", &READ, comments::list_mentions::list)
        .summary("List the comments that call the requesting agent.")
        .description(
            "Newest first. A comment calls an agent by `@` and the id of its actor, such as `@agent-7`. Only comments on \
             files that the agent sees and that are not in the trash. For people the list is empty.",
        );
    routes
        .post("/v1/files/{file_id}/comments", "create_comment", &WRITE, comments::create::create)
        .summary("Comment on a file or on a place in it.")
        .description("The file and its ETag do not change. The comment has its own ETag.")
        .refuses(&FILE_TRASHED)
        .refuses(&ANCHOR_NOT_FOUND)
        .refuses(&QUOTA_EXCEEDED);
    for_comment(
        routes
            .post("/v1/files/{file_id}/comments/{comment_id}/edit", "edit_comment", &WRITE, comments::edit::edit)
            .summary("Change the text of your own comment.")
            .description("`If-Match` is the ETag of the comment."),
    )
    .refuses(&QUOTA_EXCEEDED);
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/resolve",
                "resolve_comment",
                &WRITE,
                comments::resolve::resolve,
            )
            .summary("Resolve your own comment without changing the file.")
            .description("`If-Match` is the ETag of the comment. A resolved comment stays resolved."),
    );
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/reopen",
                "reopen_comment",
                &WRITE,
                comments::reopen::reopen,
            )
            .summary("Reopen your own comment.")
            .description("`If-Match` is the ETag of the comment. An open comment stays open."),
    );
    routes
        .post("/v1/files/{file_id}/comments/{comment_id}/settle", "settle_comment", &WRITE, comments::settle::settle)
        .summary("Resolve or reopen anybody's comment.")
        .description("For those who may write the file. `If-Match` is the ETag of the comment.")
        .refuses(&FILE_TRASHED);
    for_comment(
        routes
            .post(
                "/v1/files/{file_id}/comments/{comment_id}/delete",
                "delete_comment",
                &WRITE,
                comments::delete::delete,
            )
            .summary("Delete your own comment.")
            .description("`If-Match` is the ETag of the comment. This cannot be undone."),
    );
}
