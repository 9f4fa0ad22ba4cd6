//! Small exports with many parts, built with the same code as `export build`.

use std::fmt::Write as _;

use locker_svc::exports::build::{BuildError, BuildRequest, build};
use shared_runtime::Context;

use super::records::made_id;
use crate::error::{StackError, cannot};

// A few lines of text: with many parts, paging and parallel downloads can be tried.
const PART_BYTES: u64 = 1024;

/// Builds an export of the room with this many parts, unless it exists. Returns its id.
pub async fn make(context: &Context, room: &str, parts: u64) -> Result<Option<String>, StackError> {
    // The secret identifies this stack: another stack on the same database does not have its blobs.
    let mark = hex::encode(context.secret.tag(&[b"sample export"]));
    let id = made_id("exp", &format!("{room} {mark}"));
    // The builder reads a file, as for operators.
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
        Err(BuildError::Rejected(why)) => {
            tracing::info!(why, "a sample export was changed and stays as it is");
            Ok(None)
        }
        Err(BuildError::Service(error)) => Err(error.into()),
    }
}

/// Exactly this many bytes of text lines.
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
