//! Elements that both pages use.

use maud::{Markup, html};
use shared_model::Timestamp;

pub fn fact(name: &str, value: impl maud::Render) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

pub fn code(text: impl std::fmt::Display) -> Markup {
    html! { code { (text.to_string()) } }
}

pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    html! { time datetime=(text) { (text) } }
}
