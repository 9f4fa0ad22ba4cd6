//! `POST /v1/files/{file_id}/restore`: take a file out of the trash.

use shared_model::{Error, NextAction};
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    file::{FileAnswer, FileState},
    seen,
    store::{self, Update},
    tree::{self, Put},
};
use crate::{changes::ChangeType, codes, command::Command, ids::FileId, permissions::WriteFiles};

shared_model::json_object! {
    /// What is sent.
    #[derive(Debug)]
    pub struct RestoreFile {
        /// The folder that it shall be in; absent: the one that it was in, or the top where that is gone.
        pub parent_id: Option<FileId>,
    }
    example = {};
}

/// Restores a file, to its folder wherever that is by now.
pub async fn restore(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfMatch,
    Body(RestoreFile { parent_id }): Body<RestoreFile>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = seen::to_change(conn, by, id, FileState::Trashed, seen)?;
            let parent = match parent_id {
                Some(parent) => Some(parent),
                None => tree::parent_to_return_to(conn, &file)?,
            };
            tree::check_place(conn, by.owner(), parent, Put::Existing(&file)).map_err(|error| {
                match (error, parent) {
                    (Error::Refused(refusal), Some(parent)) if *refusal.code == codes::PARENT_TRASHED => {
                        refusal.next(NextAction::Refresh { href: by.records.href(parent), etag: None }).into()
                    }
                    (error, _) => error,
                }
            })?;
            let file = store::update(conn, by, file, Update::Restore(parent), ChangeType::FileRestored)?;
            Ok(by.records.answer(file)?)
        })
        .await
}
