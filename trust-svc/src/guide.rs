//! How Trust is used, in a few steps: shown at `/docs` and in `/llms.txt`.

use shared_runtime::pages::Pages;

/// Operations in their order, each with what it is for.
const STEPS: &[(&str, &str)] = &[
    ("list_signers", "whose events the service publishes."),
    ("publish_event", "publishes a signed event, once; the answer is a receipt that anyone can check offline."),
    ("read_event", "shows a published event with its receipt."),
    ("read_market", "tells where a market stands."),
    ("read_log_key", "the key that receipts and checkpoints are checked with; keep a copy."),
    ("prove_consistency", "shows that the log has only grown."),
];

/// Declares the walkthrough.
pub fn declare(pages: &mut Pages) {
    pages.guide(STEPS);
}
