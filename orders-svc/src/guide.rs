//! How Orders is used, in a few steps: shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

/// Operations in their order, each with what it is for.
const STEPS: &[(&str, &str)] = &[
    ("create_order", "places an order; the service computes the amounts, and refuses a total that you did not expect."),
    ("read_order", "shows an order and its timeline."),
    ("list_orders", "shows the caller's orders, newest first."),
    ("read_command", "tells after a lost answer whether the command happened."),
];

/// Declares the walkthrough.
pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS);
}
