//! How Locker is used, in a few steps: shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

/// Operations in their order, each with what it is for.
const STEPS: &[(&str, &str)] = &[
    ("get_catalogue", "the images and models that a room may have."),
    ("queue_model_test", "has a room's connection to its model tested; the answer names an operation."),
    ("read_operation", "tells how the test goes, until it has ended."),
    ("list_subscriptions", "what the caller's account is billed for."),
    ("list_export_parts", "the parts of an export, each with a short-lived link."),
];

/// Declares the walkthrough.
pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS);
}
