//! Links to the folders above a file.

use maud::{Markup, html};

use super::phrases::name;
use crate::files::details::record::PathEntry;

pub fn show(folders: &[PathEntry]) -> Markup {
    html! {
        nav.crumbs aria-label=(text!("Folders")) {
            ol {
                li { a href="/w" { (text!("Files")) } }
                @for folder in folders { li { a href=(format!("/f/{}", folder.id)) { (name(&folder.name)) } } }
            }
        }
    }
}
