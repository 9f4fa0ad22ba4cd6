//! Pages for people: the state of the log, and an event with its proof.

// First, because others use its macros.
#[macro_use]
mod texts;

mod event;
mod event_table;
mod facts;
mod log_state;
mod search;
mod steps;
mod title;
mod visible;

use shared_runtime::pages::Pages;

pub fn declare(pages: &mut Pages) {
    pages.link("/", text!("Log"));
    pages.get("/", "log_page", log_state::log_state);
    pages.get("/search", "search_page", search::search).takes(&["q"]);
    pages.get("/event/{event_hash}", "event_page", event::event);
}
