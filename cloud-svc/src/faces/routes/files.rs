//! The URLs of files and folders, and of their versions.

use shared_model::code;
use shared_runtime::Routes;

use super::refusals::{adds, changes_file, put_somewhere};
use crate::{
    base::{
        codes::{
            APPROVAL_REQUIRED, FILE_NOT_TRASHED, FILE_TRASHED, NAME_EXISTS, PARENT_CYCLE, PARENT_TRASHED,
            QUOTA_EXCEEDED, WORKBOOK_READ_ONLY,
        },
        limits::{READ, WRITE},
    },
    files::{self, create_folder, list::NO_SUCH_FOLDER, versions},
};

pub(super) fn of_tree(routes: &mut Routes) {
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
            .post("/v1/folders", "create_folder", &WRITE, create_folder::create)
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

pub(super) fn of_versions(routes: &mut Routes) {
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
    .refuses(&APPROVAL_REQUIRED)
    .refuses(&WORKBOOK_READ_ONLY)
    .refuses(&QUOTA_EXCEEDED);
}
