//! A secret that is shown once.

use maud::html;
use shared_runtime::pages::{Page, Text};

use super::path::PATH;
use crate::base::ids::WebhookId;

/// `after` is a sentence about what happens next.
pub fn page(title: Text, id: WebhookId, secret: &str, after: Text) -> Page {
    let body = html! {
        p { (text!("The secret signs every delivery. Copy it now: it is not shown again.")) }
        label for="secret" { (text!("Secret")) }
        // An input, because a click and Ctrl+A select all of it, and nothing else of the page.
        input.wide #secret readonly value=(secret) autocomplete="off" spellcheck="false";
        p { (after) }
        p { a.button href=(format!("{PATH}/{id}")) { (text!("Continue to the webhook")) } }
    };
    Page::new(title, body)
}
