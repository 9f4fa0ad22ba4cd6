//! The order in which to call the operations. Shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

const STEPS: &[(&str, &str)] = &[
    ("create_order", "places an order. The service computes the amounts and refuses a total that you did not expect."),
    ("read_order", "returns an order and its timeline."),
    ("list_orders", "lists the caller's orders, newest first."),
    ("read_command", "tells you, after a lost answer, whether a command was executed."),
];

pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS).documents(docs::ORDERS);
}
