//! Every URL of the service, with its limit; the permission is the first argument of the verb.

mod agents;
mod changes;
mod comments;
mod contents;
mod downloads;
mod drafts;
mod files;
mod plans;
mod proposals;
mod receipts;
mod refusals;
mod uploads;
mod webhooks;

use shared_model::code;
use shared_runtime::{Routes, idempotency, mcp};

use crate::{
    base::{
        codes::PERSON_REQUIRED,
        limits::{PUBLIC, READ, WRITE},
        permissions::ReadFiles,
    },
    faces::service_information,
    files::{content_search, list::NO_SUCH_FOLDER, search},
    workspace,
};

pub fn declare(routes: &mut Routes) {
    service(routes);
    files::of_tree(routes);
    contents::declare(routes);
    files::of_protection(routes);
    files::of_versions(routes);
    plans::declare(routes);
    proposals::declare(routes);
    receipts::declare(routes);
    agents::declare(routes);
    comments::declare(routes);
    drafts::declare(routes);
    uploads::declare(routes);
    downloads::declare(routes);
    changes::declare(routes);
    webhooks::declare(routes);
    routes
        .get("/v1/idempotency/{key}", "read_command", &READ, idempotency::lookup::<ReadFiles>)
        .summary("Check whether the command with an idempotency key has happened.")
        .description(idempotency::LOOKUP_DESCRIPTION);
    routes
        .post(mcp::PATH, "send_mcp_message", &READ, mcp::serve::<ReadFiles>)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
}

fn service(routes: &mut Routes) {
    routes
        .get("/v1/service", "get_service", &PUBLIC, service_information::read)
        .summary("Read the limits and missing features of this service.")
        .description("Public. Read `limits` before you send much, and `unsupported` before you rely on a feature.");
    routes
        .get(service_information::MANIFEST_PATH, "get_developer_manifest", &PUBLIC, service_information::manifest)
        .summary("Get links to all resources for developers.")
        .description("Public. Also lists the scopes, error codes and event types.");
    routes
        .get("/v1/workspaces", "list_workspaces", &READ, workspace::list::list)
        .summary("Read the workspace of the grant and the acting person or program.")
        .description("A grant selects one workspace, so the list has one item. Its storage counts versions, drafts, plans and comments.");
    routes
        .get("/v1/risk-rules", "get_risk_rules", &READ, workspace::risk_rules::read::read)
        .summary("Read what the workspace wants to be warned about.")
        .description("Rules in addition to those that apply everywhere.");
    routes
        .put("/v1/risk-rules", "set_risk_rules", &WRITE, workspace::risk_rules::set::set)
        .summary("Set what the workspace wants to be warned about.")
        .description("For people. An edit that meets a rule has a warning of high severity.")
        .refuses(&PERSON_REQUIRED);
    routes
        .get("/v1/search", "search_files", &READ, search::search)
        .summary("Search the files of the workspace by name and type.")
        .description(
            "Newest first. Finds any part of a name, regardless of case, width and composition of letters. `%`, `_` and \
             `\\` are plain characters. Files in the trash or in trashed folders are not found.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
    routes
        .get("/v1/content-search", "search_content", &READ, content_search::search::search)
        .summary("Search the files of the workspace by what is written in them.")
        .description(
            "Finds words in names, contents (native files, and uploads of UTF-8 text up to 1 MiB) and comments, regardless \
             of case, width and composition of letters. Drafts, plans and the trash are not searched. Each item has up to \
             three excerpts.",
        )
        .refuses_with(&code::NOT_FOUND, NO_SUCH_FOLDER);
}
