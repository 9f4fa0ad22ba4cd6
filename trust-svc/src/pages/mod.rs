//! Pages for people: what the log says of itself, and an event with the proof that the log has it.

mod event;
mod facts;
mod log_state;

use shared_runtime::pages::Pages;

/// Declares them.
pub fn declare(pages: &mut Pages) {
    pages.link("/", "Log");
    pages.get("/", "log_page", log_state::log_state);
    pages.get("/event/{event_hash}", "event_page", event::event);
}
