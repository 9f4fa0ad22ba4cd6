//! What was uploaded: said, never shown. Its bytes come by a download link only, as an attachment.

use maud::{Markup, html};
use serde::Deserialize;

use crate::faces::pages::phrases::bytes;

/// What is known of an upload.
#[derive(Debug, Deserialize)]
pub struct Uploaded {
    mime: String,
    bytes: u64,
    sha256: String,
}

/// Its type, size and digest.
pub fn render(uploaded: &Uploaded) -> Markup {
    html! {
        dl.facts {
            div { dt { "Looks like" } dd { code { (uploaded.mime) } } }
            div { dt { "Size" } dd { (bytes(uploaded.bytes)) } }
            div { dt { "SHA-256" } dd { code { (uploaded.sha256) } } }
        }
    }
}
