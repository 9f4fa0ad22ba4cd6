//! What can be read by a URI, as a service says it.

use futures_util::future::LocalBoxFuture;
use shared_model::{ErrorBody, Failure};

use crate::http::operations::Operations;

/// What can be read by a URI.
pub struct Resources {
    /// The forms of the URIs.
    pub templates: &'static [Template],
    /// A page of those that there are, from a cursor on.
    pub list: for<'c> fn(&'c Operations, Option<String>) -> Asked<'c, Listed>,
    /// What is at a URI.
    pub read: for<'c> fn(&'c Operations, String) -> Asked<'c, Content>,
}

/// What is asked for, or why there is none.
pub type Asked<'c, T> = LocalBoxFuture<'c, Result<Result<T, ErrorBody>, Failure>>;

/// A form of URIs.
pub struct Template {
    /// The form (RFC 6570).
    pub uri: &'static str,
    /// A name for programs.
    pub name: &'static str,
    /// A name for people.
    pub title: &'static str,
    /// What is there.
    pub description: &'static str,
}

/// A page of resources.
pub struct Listed {
    /// The resources.
    pub resources: Vec<Listing>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// A resource in a list.
pub struct Listing {
    /// Its URI.
    pub uri: String,
    /// Its name, which others may have written.
    pub name: String,
    /// The media type of its content.
    pub media_type: &'static str,
}

/// What is at a URI.
pub struct Content {
    /// The text, which others may have written.
    pub text: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Where the text goes on.
    pub next_uri: Option<String>,
}
