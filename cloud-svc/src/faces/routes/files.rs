//! The URLs of files and folders, and of their versions.

use shared_model::code;
use shared_runtime::Routes;

use super::refusals::{ANOTHER_WRITER, adds, changes_file, of_type, put_somewhere};
use crate::{
    base::{
        codes::{
            ANCHOR_NOT_FOUND, APPROVAL_REQUIRED, FILE_NOT_TRASHED, FILE_TRASHED, NAME_EXISTS, PARENT_CYCLE,
            PARENT_TRASHED, PERSON_REQUIRED, QUOTA_EXCEEDED, RESPONSE_TOO_LARGE, WORKBOOK_READ_ONLY,
        },
        limits::{READ, WRITE},
    },
    files::{self, authorship, create_folder, list::NO_SUCH_FOLDER, protection, versions},
};

pub(super) fn of_tree(routes: &mut Routes) {
    routes
        .get("/v1/files", "list_files", &READ, files::list::list)
        .summary("List the files of a folder, of the top level or of the workspace.")
        .description("Newest first. Files in a trashed folder are hidden: `state=trashed` lists the folder alone.")
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
    routes
        .get("/v1/files/{file_id}", "get_file", &READ, files::read::read)
        .summary("Read the record of a file or folder of any type.")
        .description("A file in the trash can still be read.");
    routes
        .get("/v1/files/{file_id}/details", "get_file_details", &READ, files::details::read::read)
        .summary("Read the record of a file with its size, folders, authors, tags and open work.")
        .description("`include=details` adds the same to lists and searches.");
    adds(
        routes
            .post("/v1/folders", "create_folder", &WRITE, create_folder::create)
            .summary("Create a folder.")
            .description(
                "Folders nest 32 deep and have at most 10000 files each. Names need not be unique, unless you send \
                 `If-None-Match: *`.",
            ),
    );
    changes_file(
        routes
            .post("/v1/files/{file_id}/rename", "rename_file", &WRITE, files::rename::rename)
            .summary("Rename a file.")
            .description("With `If-None-Match: *` the name must be new in its folder."),
    )
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&NAME_EXISTS);
    put_somewhere(changes_file(
        routes
            .post("/v1/files/{file_id}/move", "move_file", &WRITE, files::move_to::move_to)
            .summary("Move a file to another folder.")
            .description("`parent_id: null` is the top level. A folder moves with its contents."),
    ))
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&PARENT_CYCLE)
    .refuses(&NAME_EXISTS);
    adds(
        routes
            .post("/v1/files/{file_id}/copy", "copy_file", &WRITE, files::copy::copy)
            .summary("Copy a file.")
            .description("Copies the current version with its part ids, without comments and plans. Not for folders."),
    )
    .refuses(&FILE_TRASHED);
    changes_file(
        routes
            .post("/v1/files/{file_id}/trash", "trash_file", &WRITE, files::trash::trash)
            .summary("Move a file, or a folder with its contents, to the trash.")
            .description("The contents of a folder are hidden until it is restored. After 30 days it is purged."),
    )
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER);
    put_somewhere(
        routes
            .post("/v1/files/{file_id}/restore", "restore_file", &WRITE, files::restore::restore)
            .summary("Restore a file from the trash.")
            .description("It goes to `parent_id` or its old folder, or to the top level if that folder is gone."),
    )
    .refuses_with(&PARENT_TRASHED, shared_model::refusal::NextStep::Refresh("/v1/files/{file_id}"))
    .refuses(&FILE_NOT_TRASHED);
    routes
        .post("/v1/files/{file_id}/purge", "purge_file", &WRITE, files::purge::purge)
        .summary("Delete a file in the trash with all its versions.")
        .description(
            "Cannot be undone. Purging a folder purges its contents, but files that were trashed on their own move to \
             the top level. Agents may purge only if the policy of the workspace is `direct`.",
        )
        .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
        .refuses(&FILE_NOT_TRASHED);
}

pub(super) fn of_protection(routes: &mut Routes) {
    routes
        .put("/v1/files/{file_id}/protection", "protect_file", &WRITE, protection::set::set)
        .summary("Set which parts of a file agents change only with the approval of a person.")
        .description(
            "For people. A plan that changes a protected part has a warning of high severity. `protected` in the file's details \
             lists what is protected.",
        )
        .refuses(&FILE_TRASHED)
        .refuses(&ANCHOR_NOT_FOUND)
        .refuses(&PERSON_REQUIRED);
}

pub(super) fn of_versions(routes: &mut Routes) {
    routes
        .get("/v1/files/{file_id}/versions", "list_versions", &READ, versions::list::list)
        .summary("List the versions of a file.")
        .description("Newest first. Versions never change and stay until the file is purged. A folder has none.");
    routes
        .get("/v1/files/{file_id}/versions/{version_id}", "get_version", &READ, versions::read::read)
        .summary("Read a version of a file.")
        .description("The type of the file decides the schema of `content`.");
    of_type(
        routes
            .get(
                "/v1/files/{file_id}/versions/{version_id}/compare",
                "compare_versions",
                &READ,
                versions::compare::compare,
            )
            .summary("Compare two versions of a file.")
            .description(
                "The changes from this version to the version `with`, as a plan would show them. Not for uploads.",
            )
            .refuses_with(&code::NOT_FOUND, versions::compare::NO_SUCH_VERSION)
            .refuses(&RESPONSE_TOO_LARGE),
    );
    of_type(
        routes
            .get("/v1/files/{file_id}/authorship", "get_authorship", &READ, authorship::read::read)
            .summary("Read who wrote which part of a file, and who approved it.")
            .description(
                "Runs of blocks, lines, cells or elements, in reading order. Unchanged text keeps its author, also \
                 where it has moved. Not for folders and uploads.",
            )
            .refuses_with(&code::NOT_FOUND, authorship::read::NO_SUCH_VERSION),
    );
    changes_file(
        routes
            .post(
                "/v1/files/{file_id}/versions/{version_id}/restore",
                "restore_version",
                &WRITE,
                versions::restore::restore,
            )
            .summary("Make a new version with the content of an earlier one.")
            .description("This undoes an applied plan. The versions in between stay."),
    )
    .refuses_with(&APPROVAL_REQUIRED, ANOTHER_WRITER)
    .refuses(&WORKBOOK_READ_ONLY)
    .refuses(&QUOTA_EXCEEDED);
}
