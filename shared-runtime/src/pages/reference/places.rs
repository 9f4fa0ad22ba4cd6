//! Where the reference and its documents are.

pub use crate::pages::docs_path::DOCS_PATH;

/// The summary for language models (llmstxt.org).
pub const LLMS_PATH: &str = "/llms.txt";
/// What has changed from version to version.
pub const CHANGELOG_PATH: &str = "/changelog.md";
/// Where the endpoint for agents says how to connect (SEP-2127).
pub const SERVER_CARD_PATH: &str = "/mcp/server-card";

/// The page of an operation, or of a document by its path.
pub fn href(id: &str) -> String {
    format!("{DOCS_PATH}/{id}")
}
