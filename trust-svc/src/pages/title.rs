//! The title that a signer gave a market.

use serde::Deserialize;

use super::visible::Visible;

// A signer can write a whole page as a title. The page of the event has all of it.
const LENGTH: usize = 120;

#[derive(Deserialize)]
struct Leaf {
    event: Event,
}

#[derive(Deserialize)]
struct Event {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    title: String,
}

/// Of an event as JSON; `None` for an event without one.
pub fn of_event(event: &str) -> Option<String> {
    serde_json::from_str::<Event>(event).ok().and_then(|event| shown(&event.data.title))
}

/// Of an entry of the log.
// A damaged entry has no title here: the self-check tells what is wrong with it.
pub fn of_entry(leaf: &[u8]) -> Option<String> {
    serde_json::from_slice::<Leaf>(leaf).ok().and_then(|leaf| shown(&leaf.event.data.title))
}

fn shown(title: &str) -> Option<String> {
    let text = Visible::new(title.trim()).text;
    if text.chars().count() <= LENGTH {
        return Some(text).filter(|text| !text.is_empty());
    }
    Some(text.chars().take(LENGTH).chain(['…']).collect())
}
