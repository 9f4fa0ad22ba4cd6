//! Uploads: their facts only.

// Their bytes are never sent as they are to be shown: a page that somebody uploaded would run as a page of this service.

use crate::{faces::pages::phrases::bytes, files::versions::read::UploadedContent};
use maud::{Markup, html};

pub fn render(uploaded: &UploadedContent) -> Markup {
    html! {
        dl.facts {
            div { dt { "Looks like" } dd { code { (uploaded.mime) } } }
            div { dt { "Size" } dd { (bytes(uploaded.bytes)) } }
            div { dt { "SHA-256" } dd { code { (uploaded.sha256) } } }
        }
    }
}
