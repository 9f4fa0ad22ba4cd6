//! The navigation next to every page below `/docs`.

use maud::{Markup, html};

use super::places::{DOCS_PATH, href};
use crate::pages::documents::Documents;

/// `path` is that of the page itself.
pub fn navigation(documents: &Documents, path: &str) -> Markup {
    let is_document = documents.all().any(|document| href(document.path) == path);
    let of_index = match path {
        DOCS_PATH => Some("page"),
        // The page of an operation.
        _ if !is_document => Some("true"),
        _ => None,
    };
    html! {
        nav.contents aria-label="Documentation" {
            ul { li { a href=(DOCS_PATH) aria-current=[of_index] { "All operations" } } }
            @for section in documents.sections {
                p { (section.title) }
                ul {
                    @for document in section.documents {
                        @let place = href(document.path);
                        li { a href=(place) aria-current=[(place == path).then_some("page")] { (document.title()) } }
                    }
                }
            }
        }
    }
}
