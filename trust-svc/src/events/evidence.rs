//! What a receipt and a signature prove about a published event. The service checks its own answers as `trust-svc
//! verify` does.

use serde_json::{Map, Value};
use shared_model::json_reader;
use shared_runtime::PublicKey;
use trust_log::{
    canonical,
    tlog::{Policy, Receipt, verify_receipt},
};

use super::publication::{Publication, SignatureFlaw};

/// The members of an answer that make up the log's entry.
const ENTRY_MEMBERS: [&str; 4] = ["event", "event_hash", "signer_key_id", "signature"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The index of the entry.
    pub index: u64,
    /// The name of the log.
    pub log: String,
    /// The number of entries in the log's signed checkpoint.
    pub size: u64,
}

/// Checks a receipt for an event in the service's answer. `Err` says why the receipt proves nothing.
pub fn verify(published: &Value, receipt: &str, policy: &Policy) -> Result<Evidence, String> {
    let entry = entry_text(published);
    let receipt = Receipt::parse(receipt.as_bytes()).map_err(|malformed| malformed.to_string())?;
    let proven = verify_receipt(&receipt, entry.as_bytes(), policy).map_err(|untrusted| untrusted.to_string())?;
    let (log, size) = (proven.checkpoint.origin().to_string(), proven.checkpoint.size());
    Ok(Evidence { index: proven.index, log, size })
}

/// Checks the hash and the signature of an event in the service's answer.
pub fn verify_signature(published: &Value, key: &PublicKey, base_url: &str) -> Result<(), String> {
    let body = Value::Object(entry(published));
    let publication: Publication = json_reader::read(&body).map_err(|_| "the entry is not a signed event")?;
    publication.verify(key, base_url).map_err(|flaw| match flaw {
        SignatureFlaw::OtherHash(hash) => format!("the hash of the event is {hash}, not {}", publication.event_hash),
        _ => format!("the signature is not that of {} over this event", publication.signer_key_id),
    })
}

/// The log's entry of an event in the service's answer: the bytes whose hash is in the log.
pub fn entry_text(published: &Value) -> String {
    canonical::object_text(&entry(published))
}

fn entry(published: &Value) -> Map<String, Value> {
    let member = |name: &str| Some((name.to_owned(), published.get(name)?.clone()));
    ENTRY_MEMBERS.iter().filter_map(|name| member(name)).collect()
}
