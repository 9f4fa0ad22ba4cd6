//! A secret that is shown once.

use maud::html;
use shared_runtime::pages::Page;

use super::path::PATH;
use crate::base::ids::WebhookId;

/// `after` is a sentence about what happens next.
pub fn page(title: &str, id: WebhookId, secret: &str, after: &str) -> Page {
    let body = html! {
        p { "The secret signs every delivery. Copy it now: it is not shown again." }
        label for="secret" { "Secret" }
        // An input, because a click and Ctrl+A select all of it, and nothing else of the page.
        input.wide #secret readonly value=(secret) autocomplete="off" spellcheck="false";
        p { (after) }
        p { a.button href=(format!("{PATH}/{id}")) { "Go on to the webhook" } }
    };
    Page::new(title, body)
}
