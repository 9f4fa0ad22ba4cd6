//! `POST /v1/files/{file_id}/purge`: delete a file in the trash for good, with all its versions.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{file::FileState, precondition, purge_batches};
use crate::{
    base::{
        empty::{Done, Empty},
        ids::FileId,
        permissions::WriteFiles,
    },
    workspace::{changes::ChangeType, command::Command},
};

// More files are hidden immediately and deleted later, so that one request does not delay other writes.
const AT_ONCE: i64 = 1_000;

pub async fn purge(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<Done>, Error> {
    command
        .run(move |conn, by| {
            precondition::load_for_update(conn, by, id, FileState::Trashed, if_match)?;
            // Nothing brings the file back.
            by.check_direct(conn, |_| Ok(true), "Ask a person to purge the file.")?;
            let sequence = by.next_change(conn, 0)?;
            by.record(sequence, &by.change(ChangeType::FilePurged, id));
            purge_batches::begin(conn, id, by.at)?;
            purge_batches::proceed(conn, Some(by.workspace()), by.at, AT_ONCE)?;
            Ok(Answer::ok(&Done {})?)
        })
        .await
}
