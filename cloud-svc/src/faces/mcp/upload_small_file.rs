//! `upload_small_file`: an upload of one chunk in base64.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Outcome, ToolCall},
};

/// The most bytes of a small file.
const MAX: usize = 262_144;
/// The most characters of its base64.
const MAX_BASE64: usize = MAX.div_ceil(3) * 4;

// All three steps use the one key of the call, because keys are separate for each operation. After a crash between two
// steps the same call replays the steps that happened and does the others.
pub(super) async fn upload(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let content = call.arguments.remove("content_base64");
    let rule = "must be the bytes in base64 with padding, at most 262144 of them";
    let Some(bytes) = content.as_ref().and_then(Value::as_str).and_then(decoded) else {
        return call.refuse("create_upload", "content_base64", rule);
    };
    let mut begin = call.arguments.clone();
    begin.insert("size".to_owned(), bytes.len().into());
    begin.insert("sha256".to_owned(), hex::encode(Sha256::digest(&bytes)).into());
    let begun = call.call("create_upload", begin).await?;
    let CallResult::Answered(json) = &begun else { return Ok(Outcome::Finished(begun)) };
    let begun: Value = serde_json::from_str(json)?;
    let id = begun["upload"]["id"].as_str().unwrap_or_default().to_owned();
    // An empty file has no chunks.
    if !bytes.is_empty() {
        let sent = call.send("put_chunk", vec![id.clone(), "0".to_owned()], bytes).await?;
        // A complete upload refuses the chunk. If the call is repeated, completing it again replays the answer.
        let is_repeated = begun["replayed"] == true;
        if matches!(&sent, CallResult::Refused(body) if !is_repeated || body.error.code != "upload_state") {
            return Ok(Outcome::Finished(sent));
        }
    }
    let mut complete = Arguments::new();
    complete.insert("upload_id".to_owned(), id.into());
    complete.extend(call.arguments.remove_entry("idempotency_key"));
    Ok(Outcome::Finished(call.call("complete_upload", complete).await?))
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    // Before decoding, which allocates the bytes.
    if text.len() > MAX_BASE64 {
        return None;
    }
    STANDARD.decode(text).ok().filter(|bytes| bytes.len() <= MAX)
}
