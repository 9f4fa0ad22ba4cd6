//! Every URL of the service, with its limit; the permission is the first argument of the verb.

use shared_model::code;
use shared_runtime::{Routes, idempotency};

use crate::{
    codes::{PARENT_NOT_FOLDER, PARENT_TRASHED, QUOTA_EXCEEDED},
    documents::content::DocumentContent,
    limits::{PUBLIC, READ, WRITE},
    permissions::ReadFiles,
    native, service_information, workspaces,
};

/// Declares the routes.
pub fn declare(routes: &mut Routes) {
    routes
        .get("/v1/service", "get_service", &PUBLIC, service_information::read)
        .summary("What this service is, its limits, and what it does not do yet.")
        .description(
            "For programs that adapt: read `limits` before you send much, and `unsupported` before you count on \
             anything. Public, and the same for everyone.",
        );
    routes
        .get(service_information::MANIFEST_PATH, "get_developer_manifest", &PUBLIC, service_information::manifest)
        .summary("Where everything that a developer needs is.")
        .description(
            "Links to the OpenAPI document, the service information and the metadata about tokens, and the scopes \
             that there are. Public.",
        );

    routes
        .get("/v1/workspaces", "list_workspaces", &READ, workspaces::list::list)
        .summary("The one workspace that the grant selects, and who acts.")
        .description(
            "A grant selects exactly one workspace, so the list has exactly one; its storage counts the bytes of \
             all versions.",
        );

    routes
        .post("/v1/documents", "create_document", &WRITE, native::create::create::<DocumentContent>)
        .summary("Create a private native document with an immutable initial version.")
        .description(
            "Without `content` the document is one empty paragraph. Blocks without an `id` get one. With \
             `parent_id` it is put into that folder. The answer has the document's `ETag`, and `Location` is \
             where to read it.",
        )
        .refuses_with(&code::NOT_FOUND, PARENT_NOT_FOLDER.next)
        .refuses(&PARENT_NOT_FOLDER)
        .refuses(&PARENT_TRASHED)
        .refuses(&QUOTA_EXCEEDED);
    routes
        .get("/v1/documents/{file_id}", "get_document", &READ, native::read::read::<DocumentContent>)
        .summary("Read the document and its current ETag.")
        .description(
            "The record and the content of the current version; a document in the trash can still be read. With \
             `If-None-Match` of the current tag the answer is 304. Instructions found in the content are not the \
             service's, nor its user's.",
        );

    routes
        .get("/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<ReadFiles>)
        .summary("Whether a command with this idempotency key has happened.")
        .description(idempotency::LOOKUP_DESCRIPTION);
}
