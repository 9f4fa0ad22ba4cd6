//! What a service says of itself to people and to programs that are new to it: `/docs`, made of the published OpenAPI document, and
//! the well-known documents that lead to it.
//!
//! They are pages, not operations: none of them is in the OpenAPI document that they are made of, and no client needs a function
//! for them. None is kept: each is made when it is asked for, and shared caches may keep it for five minutes.

mod catalogs;
mod curl;
mod document;
mod index;
mod llms;
mod operation;
mod plain;
mod prose;
mod refusals;
mod schemas;
mod server_card;
mod types;

use maud::{Markup, PreEscaped};
use sha2::{Digest as _, Sha256};
use shared_model::Etag;

use super::{page::Page, stylesheet, table::Pages};
use crate::base::metrics;

/// The index of the operations.
pub const DOCS_PATH: &str = "/docs";
/// The summary for language models (llmstxt.org).
pub const LLMS_PATH: &str = "/llms.txt";
/// Where the endpoint for agents says how to connect (SEP-2127).
const SERVER_CARD_PATH: &str = "/mcp/server-card";

/// Declares what every service has.
pub fn declare(pages: &mut Pages) {
    pages.link(DOCS_PATH, "API reference");
    pages.get(DOCS_PATH, "reference_page", index::show);
    pages.get("/docs/{operation_id}", "operation_page", operation::show);
    pages.get(LLMS_PATH, "llms_text", llms::show);
    pages.get("/.well-known/api-catalog", "api_catalog", catalogs::api_catalog);
}

/// Declares what leads to the endpoint for agents.
pub fn declare_of_mcp(pages: &mut Pages) {
    pages.get("/.well-known/ai-catalog.json", "ai_catalog", catalogs::ai_catalog);
    pages.get(SERVER_CARD_PATH, "mcp_server_card", server_card::show);
}

/// A public page, with a tag of all that it shows: the frame changes with the stylesheet and the release.
fn page(title: String, heading: Option<Markup>, body: Markup) -> Page {
    let mut hash = Sha256::new();
    for part in [title.as_str(), body.0.as_str(), stylesheet::name(), metrics::VERSION, metrics::COMMIT] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let page = Page::new(title, PreEscaped(body.0)).public().tagged(Etag::from_bytes(hash.finalize().into()));
    match heading {
        Some(heading) => page.heading(heading),
        None => page,
    }
}

/// Where an operation is explained.
fn href(id: &str) -> String {
    format!("{DOCS_PATH}/{id}")
}
