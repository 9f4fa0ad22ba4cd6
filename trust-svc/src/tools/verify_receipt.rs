//! `verify_receipt`: the check of `trust-svc verify`, for an event that the service has.

use serde_json::{Value, json};
use shared_model::Failure;
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Outcome, ToolCall},
};
use trust_log::tlog::{Policy, VerifierKey};

use crate::events::evidence;

pub(super) async fn verify(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let receipt = match call.arguments.remove("receipt") {
        Some(Value::String(receipt)) => Some(receipt),
        Some(_) => return call.refuse("read_event", "receipt", "must be a string"),
        None => None,
    };
    let arguments = std::mem::take(&mut call.arguments);
    let read = call.call("read_event", arguments).await?;
    let CallResult::Answered(json) = &read else { return Ok(Outcome::Finished(read)) };
    let mut body: Value = serde_json::from_str(json)?;
    let key = call.call("read_log_key", Arguments::new()).await?;
    let CallResult::Answered(key) = key else { return Ok(Outcome::Finished(key)) };
    let receipt = receipt.or_else(|| body["data"]["receipt"].as_str().map(str::to_owned)).unwrap_or_default();
    body["data"] = verdict(&body["data"], &receipt, &key)?;
    Ok(Outcome::Finished(CallResult::Answered(body.to_string())))
}

/// What the receipt proves about the event in this answer, with this key of the log.
fn verdict(answer: &Value, receipt: &str, key: &str) -> Result<Value, Failure> {
    let key: VerifierKey = key.trim().parse().map_err(|error| Failure::fault(format!("the log's own key: {error}")))?;
    let policy = Policy::new(key, Vec::new(), 0).map_err(Failure::fault)?;
    Ok(match evidence::verify(answer, receipt, &policy) {
        Ok(proven) => json!({
            "event_hash": answer["event_hash"],
            "verified": true,
            "index": proven.index,
            "log": proven.log,
            "size": proven.size,
        }),
        Err(why) => json!({"event_hash": answer["event_hash"], "verified": false, "why": why}),
    })
}
