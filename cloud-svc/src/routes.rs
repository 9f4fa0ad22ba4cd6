//! Every URL of the service, with its limit; the permission is the first argument of the verb.

use shared_model::code;
use shared_runtime::{Routes, idempotency};

use crate::{
    codes::{PARENT_NOT_FOLDER, PARENT_TRASHED, QUOTA_EXCEEDED},
    documents,
    limits::{PUBLIC, READ, WRITE},
    permissions::ReadFiles,
    service_information, workspaces,
};

/// Declares the routes.
#[rustfmt::skip]
pub fn declare(routes: &mut Routes) {
    routes.get ("/v1/service",             &PUBLIC, "get_service",     service_information::read,  "What this service is, its limits, and what it does not do yet.");
    routes.get (service_information::MANIFEST_PATH, &PUBLIC, "get_developer_manifest", service_information::manifest, "Where everything that a developer needs is.");

    routes.get ("/v1/workspaces",          &READ,   "list_workspaces", workspaces::list::list,     "The one workspace that the grant selects, and who acts.");

    routes.post("/v1/documents",           &WRITE,  "create_document", documents::create::create,  "Create a private native document with an immutable initial version.")
        .refuses(&code::NOT_FOUND).refuses(&PARENT_NOT_FOLDER).refuses(&PARENT_TRASHED).refuses(&QUOTA_EXCEEDED);
    routes.get ("/v1/documents/{file_id}", &READ,   "get_document",    documents::read::read,      "Read the document and its current ETag.");

    routes.get ("/v1/idempotency/{key}",   &READ,   "read_command",    idempotency::lookup::<ReadFiles>,  "Whether a command with this idempotency key has happened.");
}
