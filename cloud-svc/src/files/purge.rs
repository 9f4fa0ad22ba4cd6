//! `POST /v1/files/{file_id}/purge`: delete a file in the trash for good, with all its versions.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{file::FileState, purging, seen};
use crate::{
    changes::ChangeType,
    command::Command,
    empty::{Done, Empty},
    ids::FileId,
    permissions::WriteFiles,
};

/// Files that are deleted before the answer at most; those of a larger folder are hidden at once and deleted later.
const AT_ONCE: i64 = 1_000;

/// Purges a file.
pub async fn purge(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<Done>, Error> {
    command
        .run(move |conn, by| {
            seen::to_change(conn, by, id, FileState::Trashed, seen)?;
            let sequence = by.next_change(conn, 0)?;
            by.record(conn, sequence, &by.change(ChangeType::FilePurged, id))?;
            purging::begin(conn, id, by.at)?;
            purging::proceed(conn, Some(by.owner()), by.at, AT_ONCE)?;
            Ok(Answer::ok(&Done {})?)
        })
        .await
}
