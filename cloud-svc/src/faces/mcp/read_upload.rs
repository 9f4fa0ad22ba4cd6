//! Uploads for read_file: their text in pages if they are UTF-8, and their record otherwise.

use serde_json::{Value, json};
use shared_model::Failure;
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, FOR_TEXT, ToolCall},
};

use crate::{
    base::ids::VersionId,
    files::file::{FileRecord, FileState},
    transfer::{downloads::grant::DownloadAnswer, import::source},
};

/// Larger files are downloaded. A page for people has the same bound.
const TEXT_BYTES: u64 = 1_048_576;

/// The text, or the record if it is not text. `page` is the length of a part.
pub(super) async fn read(
    call: &ToolCall<'_>,
    file: &FileRecord,
    asked: &Arguments,
    page: usize,
) -> Result<CallResult, Failure> {
    let said = |name: &str| asked.get(name).and_then(Value::as_str);
    // A cursor names its version: a later upload must not continue the text of an earlier one.
    let (version, start) = match said("cursor").map(place) {
        Some(None) => return call.refused_argument("get_file_details", "cursor", "must be a cursor of this file"),
        Some(Some((version, start))) => (Some(version), start),
        None => (said("version_id").map(str::to_owned), 0),
    };
    let version = version.or_else(|| file.current_version_id.map(|id| id.to_string()));
    let text = match &version {
        Some(version) => match text(call, file, version).await? {
            Ok(text) => text,
            Err(refused) => return Ok(refused),
        },
        None => None,
    };
    let named = Arguments::from_iter([("file_id".to_owned(), file.id.to_string().into())]);
    let mut body = match text {
        Some(text) => {
            let start = text.floor_char_boundary(start);
            let end = text.floor_char_boundary(start.saturating_add(page));
            let next = (end < text.len()).then(|| format!("{}.{end}", version.as_deref().unwrap_or_default()));
            json!({
                "file": file, "text": text[start..end], "version_id": version, "next_cursor": next,
                "content_is_untrusted": true,
            })
        }
        None => match call.call("get_file_details", named).await? {
            CallResult::Answered(json) => serde_json::from_str(&json)?,
            refused @ CallResult::Refused(_) => return Ok(refused),
        },
    };
    // A text that is shown is short enough.
    let bytes = body["details"]["bytes"].as_u64().unwrap_or_default();
    let can_convert = file.state == FileState::Active
        && bytes <= source::SOURCE_BYTES as u64
        && source::format(&file.name).is_ok()
        && call.operations.allows("convert_file");
    body[FOR_TEXT] = json!({"can_convert": can_convert});
    Ok(CallResult::Answered(body.to_string()))
}

/// The version and the place of the next part.
fn place(cursor: &str) -> Option<(String, usize)> {
    let (version, start) = cursor.split_once('.')?;
    version.parse::<VersionId>().ok()?;
    Some((version.to_owned(), start.parse().ok()?))
}

/// `None` if the version is too long, or no text. Or the refusal.
// The bytes decide, not the name: a binary file named like a text would be shown as nonsense.
async fn text(
    call: &ToolCall<'_>,
    file: &FileRecord,
    version: &str,
) -> Result<Result<Option<String>, CallResult>, Failure> {
    let asked = [("file_id", file.id.to_string()), ("version_id", version.to_owned())];
    let asked: Arguments = asked.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let json = match call.call("create_download_grant", asked).await? {
        CallResult::Answered(json) => json,
        refused @ CallResult::Refused(_) => return Ok(Err(refused)),
    };
    let DownloadAnswer { download } = serde_json::from_str(&json)?;
    if !(1..=TEXT_BYTES).contains(&download.bytes) {
        return Ok(Ok(None));
    }
    // By the operation itself, not over the network: the link is good for this one call.
    let token = download.url.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(match call.bytes("download_file", vec![token]).await? {
        Ok(bytes) => Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))),
        Err(refused) => Err(CallResult::Refused(refused)),
    })
}
