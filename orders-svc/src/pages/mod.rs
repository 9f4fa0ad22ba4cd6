//! Pages for people: the orders that they placed, and one of them with its timeline.

// A page calls operations of the API with its visitor's grant, so it has no rules of its own that could differ.

// First, because others use its macros.
#[macro_use]
mod texts;

mod answer;
mod list;
mod order;
mod words;

use shared_runtime::{Permission as _, pages::Pages};

use crate::permissions::ReadOrders;

/// Rules for tables of amounts.
const STYLE: &str = include_str!("pages.css");

pub fn declare(pages: &mut Pages) {
    pages.stylesheet(STYLE);
    pages.link("/orders", text!("Orders"));
    pages.asks_for(&[ReadOrders::SCOPE]);
    pages.get("/orders", "orders_page", list::list).takes(&["cursor"]);
    pages.get("/orders/{order_id}", "order_page", order::order);
}
