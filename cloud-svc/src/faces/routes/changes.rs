//! The URLs of the change feed.

use shared_runtime::Routes;

use crate::{
    base::{codes::CHANGE_CURSOR_EXPIRED, limits::READ},
    news::feed,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/changes", "list_changes", &READ, feed::read::read)
        .summary("Follow what happens in the workspace.")
        .description(
            "Every change once, in the order of their numbers, which have no gaps; each with its file as it is now, or \
             null once that is purged. `types` filters what is shown and never holds the cursor back. With \
             `wait_seconds`, an answer without items comes only when the time is over. A cursor is refused once changes \
             after it are no longer known: take a new one at `/v1/changes/cursor`, then list all files and let go of \
             those that are not among them, then follow from there.",
        )
        .refuses(&CHANGE_CURSOR_EXPIRED);
    routes
        .get("/v1/changes/cursor", "get_change_cursor", &READ, feed::cursor::read)
        .summary("Where the change feed is now.")
        .description("The cursor after all that has happened: what is read from there on happens later.");
}
