//! Times on pages.

use maud::{Markup, html};
use shared_model::Timestamp;

/// A time to the minute, in UTC. The script shows it in the reader's zone.
pub fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    let minute: String = text.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    html! { time datetime=(text) { (minute) " UTC" } }
}
