//! What a receipt proves of a published event: the check of `trust-svc verify`, of an event that the service has.

use serde_json::{Map, Value};

use crate::{
    canonical,
    tlog::{Policy, Receipt, verify_receipt},
};

/// The members that are published, and that the log has an entry of.
const PUBLISHED: [&str; 4] = ["event", "event_hash", "signer_key_id", "signature"];

/// What a receipt has proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The index of the entry.
    pub index: u64,
    /// The log that has it.
    pub log: String,
    /// The entries that the log has signed to have.
    pub size: u64,
}

/// What a receipt proves of this event, as the service answers it, under the key of `policy`; or why it proves nothing.
pub fn verify(published: &Value, receipt: &str, policy: &Policy) -> Result<Evidence, String> {
    let member = |name: &str| Some((name.to_owned(), published.get(name)?.clone()));
    let published: Map<String, Value> = PUBLISHED.iter().filter_map(|name| member(name)).collect();
    let entry = canonical::text(&published);
    let receipt = Receipt::parse(receipt.as_bytes()).map_err(|malformed| malformed.to_string())?;
    let proven = verify_receipt(&receipt, entry.as_bytes(), policy).map_err(|untrusted| untrusted.to_string())?;
    let (log, size) = (proven.checkpoint.origin().to_string(), proven.checkpoint.size());
    Ok(Evidence { index: proven.index, log, size })
}
