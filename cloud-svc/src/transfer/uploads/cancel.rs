//! `POST /v1/uploads/{upload_id}/cancel`: cancel an upload.

use shared_model::{Error, code};
use shared_runtime::{Answer, Body, Path};

use super::{store, upload::UploadAnswer};
use crate::{
    base::{empty::Empty, ids::UploadId, permissions::WriteFiles},
    files::chunk_lists::upload_state::UploadState,
    workspace::command::Command,
};

pub async fn cancel(
    command: Command<WriteFiles>,
    Path((id,)): Path<(UploadId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<UploadAnswer>, Error> {
    command
        .run(move |conn, by| {
            let upload = store::find(conn, &by.author, id, by.at)?.ok_or_else(code::not_found)?;
            let upload = match upload.state {
                UploadState::Pending => store::cancel(conn, by.workspace(), upload, by.at)?,
                UploadState::Cancelled => upload,
                UploadState::Completed => return Err(upload.wrong_state(&by.links, by.at).into()),
            };
            Ok(UploadAnswer::ok(upload, &by.links, by.at)?)
        })
        .await
}
