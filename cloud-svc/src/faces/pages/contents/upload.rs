//! Uploads: their facts only.

// The bytes are never shown: a page that somebody uploaded would run as a page of this service.

use maud::{Markup, html};
use serde::Deserialize;

use crate::faces::pages::phrases::bytes;

#[derive(Debug, Deserialize)]
pub struct Uploaded {
    mime: String,
    bytes: u64,
    sha256: String,
}

pub fn render(uploaded: &Uploaded) -> Markup {
    html! {
        dl.facts {
            div { dt { "Looks like" } dd { code { (uploaded.mime) } } }
            div { dt { "Size" } dd { (bytes(uploaded.bytes)) } }
            div { dt { "SHA-256" } dd { code { (uploaded.sha256) } } }
        }
    }
}
