//! Elements that both pages use.

use maud::{Markup, html};
use shared_model::Timestamp;
use shared_runtime::pages::{Language, Text};

pub fn fact(name: Text, value: impl maud::Render) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

pub fn code(text: impl std::fmt::Display) -> Markup {
    html! { code { (text.to_string()) } }
}

/// To the second.
pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    let [year, month, day, clock] = [0..4, 5..7, 8..10, 11..19].map(|part| text.get(part).unwrap_or_default());
    let second = match Language::current() {
        Language::English => format!("{year}-{month}-{day} {clock} UTC"),
        Language::German => format!("{day}.{month}.{year} {clock} UTC"),
    };
    html! { time datetime=(text) { (second) } }
}

/// The first and the last digits of a hash: enough to tell two of them apart on a page.
pub fn short(hash: &str) -> Markup {
    let (name, digits) = hash.split_once(':').unwrap_or(("", hash));
    let colon = if name.is_empty() { "" } else { ":" };
    match (digits.get(..8), digits.len().checked_sub(4).and_then(|at| digits.get(at..))) {
        (Some(first), Some(last)) if digits.len() > 16 => code(format_args!("{name}{colon}{first}…{last}")),
        _ => code(hash),
    }
}
