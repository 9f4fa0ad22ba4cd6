//! Pages for people: the state of the log, and an event with its proof.

mod event;
mod facts;
mod log_state;
mod title;
mod visible;

use shared_runtime::pages::Pages;

pub fn declare(pages: &mut Pages) {
    pages.link("/", "Log");
    pages.get("/", "log_page", log_state::log_state);
    pages.get("/event/{event_hash}", "event_page", event::event);
}
