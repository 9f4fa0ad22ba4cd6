//! Exports of the sample rooms, small and of many parts, built as an operator builds them.

use std::fmt::Write as _;

use locker_svc::exports::build::{BuildError, BuildRequest, build};
use shared_runtime::Context;

use super::records::made_id;
use crate::error::{StackError, cannot};

/// Bytes of each part: a few lines of text.
const PART_BYTES: u64 = 1024;

/// The id of an export of the room, of so many parts; built now, unless it is there already.
pub async fn make(context: &Context, room: &str, parts: u64) -> Result<Option<String>, StackError> {
    // With the service's secret in it: another stack on the same database has none of this one's blobs.
    let mark = hex::encode(context.secret.tag(&[b"sample export"]));
    let id = made_id("exp", &format!("{room} {mark}"));
    let folder = tempfile::tempdir().map_err(cannot("make a temporary folder"))?;
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, text(parts * PART_BYTES)).map_err(cannot("write a sample"))?;
    let request = BuildRequest {
        room: room.parse().map_err(cannot("name the sample room"))?,
        path,
        part_bytes: PART_BYTES,
        expires_in: None,
        restart: false,
        id: Some(id.parse().map_err(cannot("name the sample export"))?),
    };
    match build(context, request, &mut |_| {}).await {
        Ok(_) => Ok(Some(id)),
        Err(BuildError::Unfit(why)) => {
            tracing::info!(why, "the sample export stays as it was changed");
            Ok(None)
        }
        Err(BuildError::Service(error)) => Err(error.into()),
    }
}

/// Lines of text, exactly so many bytes.
fn text(bytes: u64) -> String {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut text = String::with_capacity(bytes + 64);
    let mut number = 1;
    while text.len() < bytes {
        writeln!(text, "{number:05}  what was said in the room, line after line").expect("text can be appended to");
        number += 1;
    }
    text.truncate(bytes);
    text
}
