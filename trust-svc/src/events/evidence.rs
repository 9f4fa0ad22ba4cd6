//! What a receipt and a signature prove of a published event: the checks of `trust-svc verify`, of an event that the service has.

use serde_json::{Map, Value};
use shared_model::json_reader;
use shared_runtime::PublicKey;

use super::publish::Publication;
use crate::{
    canonical::{self, EventHash},
    signing,
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
    let entry = canonical::text(&body(published));
    let receipt = Receipt::parse(receipt.as_bytes()).map_err(|malformed| malformed.to_string())?;
    let proven = verify_receipt(&receipt, entry.as_bytes(), policy).map_err(|untrusted| untrusted.to_string())?;
    let (log, size) = (proven.checkpoint.origin().to_string(), proven.checkpoint.size());
    Ok(Evidence { index: proven.index, log, size })
}

/// Whether this event, as the service answers it, has the hash that it is said to have, and this key's signature; or why not.
pub fn verify_signature(published: &Value, key: &PublicKey, base_url: &str) -> Result<(), String> {
    let body = Value::Object(body(published));
    let publication: Publication = json_reader::read(&body).map_err(|_| "the entry is no signed event")?;
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    let hash = EventHash::of(&canonical::text(&event));
    if hash != event_hash {
        return Err(format!("the hash of the event is {hash}, not {event_hash}"));
    }
    let signed = signing::text(base_url, signer_key_id.as_str(), &hash);
    match signature.is_some_and(|signature| signing::is_valid(key, &signed, &signature)) {
        true => Ok(()),
        false => Err(format!("the signature is not that of {signer_key_id} over this event")),
    }
}

/// What was published.
fn body(published: &Value) -> Map<String, Value> {
    let member = |name: &str| Some((name.to_owned(), published.get(name)?.clone()));
    PUBLISHED.iter().filter_map(|name| member(name)).collect()
}
