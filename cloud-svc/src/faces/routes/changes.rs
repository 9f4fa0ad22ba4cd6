//! The URLs of the change feed.

use shared_runtime::Routes;

use crate::{
    base::{codes::CHANGE_CURSOR_EXPIRED, limits::READ},
    news::feed,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/changes", "list_changes", &READ, feed::read::read)
        .summary("Follow the changes of the workspace.")
        .description(
            "Each change once, numbered without gaps, with the current file, or null if the file is purged. `types` only \
             filters the items: the cursor still advances. With `wait_seconds` the answer waits for a change. If a cursor \
             is refused, take a new one at `/v1/changes/cursor` and list all files. Delete all your other copies.",
        )
        .refuses(&CHANGE_CURSOR_EXPIRED);
    routes
        .get("/v1/changes/recent", "list_recent_changes", &READ, feed::recent::read)
        .summary("List the latest changes of the workspace.")
        .description("Newest first, for a look at what happened. To follow changes without a gap, use `/v1/changes`.");
    routes
        .get("/v1/changes/cursor", "get_change_cursor", &READ, feed::cursor::read)
        .summary("Get a cursor after the last change.")
        .description("Reading from this cursor returns only later changes.");
}
