//! `POST /v1/files/{file_id}/trash`: move a file, or a folder with everything inside, to the trash.

use shared_model::Error;
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    file::{FileAnswer, FileState},
    precondition, protection,
    store::{self, Update},
};
use crate::{
    base::{empty::Empty, ids::FileId, permissions::WriteFiles},
    workspace::{changes::ChangeType, command::Command},
};

// Only the row of the folder changes; a trashed folder hides the files inside.
pub async fn trash(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Active, if_match)?;
            protection::check::check(conn, by, id)?;
            let file = store::update(conn, by, file, Update::Trash, ChangeType::FileTrashed)?;
            Ok(by.links.answer(file)?)
        })
        .await
}
