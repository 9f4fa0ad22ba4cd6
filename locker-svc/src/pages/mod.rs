//! Pages for people: their rooms, and their exports with the parts to download.

// Parts are listed by the operation of the API. No operation lists rooms or exports, so those come from the tables, of
// the visitor alone.

// First, because others use its macros.
#[macro_use]
mod texts;

mod answer;
mod export;
mod rooms;
mod words;

use shared_runtime::{Permission as _, pages::Pages};

use crate::permissions::{Chat, CreateExports};

pub fn declare(pages: &mut Pages) {
    pages.link("/rooms", text!("Rooms"));
    pages.asks_for(&[Chat::SCOPE, CreateExports::SCOPE]);
    pages.get("/rooms", "rooms_page", rooms::rooms);
    pages.get("/exports/{export_id}", "export_page", export::export).takes(&["cursor"]);
    pages.get("/exports/{export_id}/parts/{index}", "export_part_page", export::part);
}
