//! The order in which to call Locker's operations. Shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

const STEPS: &[(&str, &str)] = &[
    ("get_catalogue", "shows what rooms cost and whether they are available."),
    ("queue_model_test", "starts a test of a room's connection to its model and returns an operation."),
    ("read_operation", "returns the status of the test. Poll it until the test has ended."),
    ("list_subscriptions", "lists the subscriptions that the caller is billed for."),
    ("list_export_parts", "lists the parts of an export, each with a download link that expires after two minutes."),
];

pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS).documents(docs::LOCKER);
}
