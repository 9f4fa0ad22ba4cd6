//! The walkthrough at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

const STEPS: &[(&str, &str)] = &[
    ("list_signers", "shows whose events the service publishes."),
    ("publish_event", "publishes a signed event once. The answer has a receipt that anyone can check offline."),
    ("read_event", "shows a published event with its receipt."),
    ("read_market", "shows the state of a market and its events."),
    ("read_log_key", "shows the key that verifies receipts and checkpoints. Save a copy."),
    ("prove_consistency", "proves that the log has only grown."),
];

pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS).documents(docs::TRUST);
}
