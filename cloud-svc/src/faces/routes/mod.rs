//! Every URL of the service, with its limit; the permission is the first argument of the verb.

mod changes;
mod comments;
mod contents;
mod downloads;
mod files;
mod plans;
mod refusals;
mod scratch;
mod uploads;
mod webhooks;

use shared_model::code;
use shared_runtime::{Routes, idempotency, mcp};

use crate::{
    base::{
        limits::{PUBLIC, READ},
        permissions::ReadFiles,
    },
    faces::service_information,
    files::{list::NO_SUCH_FOLDER, search},
    workspace,
};

pub fn declare(routes: &mut Routes) {
    service(routes);
    files::of_tree(routes);
    contents::of_documents(routes);
    contents::of_spreadsheets(routes);
    contents::of_notes(routes);
    contents::of_publications(routes);
    files::of_versions(routes);
    plans::declare(routes);
    comments::declare(routes);
    scratch::declare(routes);
    uploads::declare(routes);
    downloads::declare(routes);
    changes::declare(routes);
    webhooks::declare(routes);
    routes
        .get("/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<ReadFiles>)
        .summary("Whether a command with this idempotency key has happened.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<ReadFiles>)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
}

fn service(routes: &mut Routes) {
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
        .get("/v1/workspaces", "list_workspaces", &READ, workspace::list::list)
        .summary("The one workspace that the grant selects, and who acts.")
        .description(
            "A grant selects exactly one workspace, so the list has exactly one; its storage counts the bytes of \
             all versions.",
        );
    routes
        .get("/v1/search", "search_files", &READ, search::search)
        .summary("Search the files of the workspace by name and type.")
        .description(
            "Newest first. A name is found by any part of it, whatever the case, width and composition of its \
             letters; `%`, `_` and `\\` are letters like others. What is in the trash, or in a folder that is, is not \
             found. What was written before is found.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
}
