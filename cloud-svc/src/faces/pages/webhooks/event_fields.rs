//! The events of a webhook, as boxes to tick.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::words;
use crate::news::webhooks::event_type::EventType;

pub const FIELD: &str = "event";
pub const EVENTS: usize = EventType::ALL.len();

pub fn show(ticked: impl Fn(EventType) -> bool) -> Markup {
    html! {
        fieldset {
            legend { (text!("What it receives")) }
            ul.boxes {
                @for (index, (word, event)) in EventType::ALL.iter().enumerate() {
                    li {
                        label {
                            input type="checkbox" name=(format!("{FIELD}-{index}")) value=(word) checked[ticked(*event)];
                            " " (words::event(*event)) " " code.note { (word) }
                        }
                    }
                }
            }
        }
    }
}

/// The words of the ticked boxes.
pub fn ticked(visit: &SignedIn) -> Vec<&str> {
    let ticked: Vec<&str> = (0..EVENTS).filter_map(|index| visit.value(&format!("{FIELD}-{index}"))).collect();
    let all = EventType::All.as_str();
    // "All" includes the others, whether they are ticked or not.
    if ticked.contains(&all) { vec![all] } else { ticked }
}
