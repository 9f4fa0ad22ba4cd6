//! Resources as a service defines them.

use futures_util::future::LocalBoxFuture;
use shared_model::{ErrorBody, Failure};

use crate::http::operations::Operations;

pub struct Resources {
    pub templates: &'static [Template],
    /// A page of the resources, from a cursor.
    pub list: for<'c> fn(&'c Operations, Option<String>) -> ResourceFuture<'c, ResourcePage>,
    pub read: for<'c> fn(&'c Operations, String) -> ResourceFuture<'c, Content>,
    pub views: &'static [View],
}

/// A page that a client may show next to tool results (the extension `io.modelcontextprotocol/ui`). It is the same
/// for everybody, and asks its client for what it shows.
pub struct View {
    /// Begins with `ui://`.
    pub uri: &'static str,
    /// Everything that it needs: its client lets it load nothing.
    pub html: fn() -> String,
}

/// The outer error is a failure of ours, the inner one a refusal.
pub type ResourceFuture<'c, T> = LocalBoxFuture<'c, Result<Result<T, ErrorBody>, Failure>>;

/// A form of URIs (RFC 6570).
pub struct Template {
    pub uri: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
}

pub struct ResourcePage {
    pub resources: Vec<ListedResource>,
    pub next_cursor: Option<String>,
}

pub struct ListedResource {
    pub uri: String,
    /// Written by others: untrusted.
    pub name: String,
    /// The media type of its content.
    pub media_type: &'static str,
}

pub struct Content {
    /// Written by others: untrusted.
    pub text: String,
    pub media_type: &'static str,
    pub next_uri: Option<String>,
}
