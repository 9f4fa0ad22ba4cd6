//! Small pieces of both pages.

use maud::{Markup, html};
use shared_model::Timestamp;

/// A name and what it names.
pub fn fact(name: &str, value: impl maud::Render) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// A hash, a key or a code, as programs write it.
pub fn code(text: impl std::fmt::Display) -> Markup {
    html! { code { (text.to_string()) } }
}

/// An instant.
pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    html! { time datetime=(text) { (text) } }
}
