//! What a service says about itself to people and to programs that are new to it. `/docs` is made of the published
//! OpenAPI document, and the well-known documents lead to it.
//!
//! They are pages, not operations. None of them is in the OpenAPI document that they are made of. No client needs a
//! function for them. None is kept: each is made when it is asked for, and shared caches may keep it for five minutes.

mod catalogs;
mod changelog;
mod contents;
mod curl;
mod document;
mod guide;
mod index;
mod llms;
mod markdown;
mod operation;
mod places;
mod plain;
mod prose;
mod refusals;
mod schemas;
mod server_card;
mod tagged;
mod types;

pub use places::{CHANGELOG_PATH, DOCS_PATH, LLMS_PATH};

use self::places::SERVER_CARD_PATH;
use super::routes::Pages;

/// Declares what every service has.
pub fn declare(pages: &mut Pages) {
    pages.link(DOCS_PATH, text!("Documentation"));
    pages.get(DOCS_PATH, "reference_page", index::show);
    pages.get("/docs/{operation_id}", "operation_page", operation::show);
    pages.get("/docs/{folder}/{name}", "guide_page", guide::show);
    pages.get(LLMS_PATH, "llms_text", llms::show);
    pages.get(CHANGELOG_PATH, "changelog", changelog::show);
    pages.get("/.well-known/api-catalog", "api_catalog", catalogs::api_catalog);
}

/// Declares what leads to the endpoint for agents.
pub fn declare_of_mcp(pages: &mut Pages) {
    pages.get("/.well-known/ai-catalog.json", "ai_catalog", catalogs::ai_catalog);
    pages.get(SERVER_CARD_PATH, "mcp_server_card", server_card::show);
}
