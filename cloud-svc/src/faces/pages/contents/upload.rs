//! Uploads: their facts only.

// What of them is shown beside that, `preview` decides. A page that somebody uploaded must not run as one of this service.

use crate::{faces::pages::phrases::bytes, files::versions::read::UploadedContent};
use maud::{Markup, html};

pub fn render(uploaded: &UploadedContent) -> Markup {
    html! {
        dl.facts {
            div { dt { (text!("Looks like")) } dd { code { (uploaded.mime) } } }
            div { dt { (text!("Size")) } dd { (bytes(uploaded.bytes)) } }
            div { dt { (text!("SHA-256")) } dd { code { (uploaded.sha256) } } }
        }
    }
}
