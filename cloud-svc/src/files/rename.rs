//! `POST /v1/files/{file_id}/rename`: rename a file.

use shared_model::{Error, Name};
use shared_runtime::{Answer, Body, IfMatch, MustBeNew, Path};

use super::{
    file::{FileAnswer, FileState},
    precondition, protection,
    store::{self, Update},
};
use crate::{
    base::{codes, ids::FileId, permissions::WriteFiles},
    workspace::{changes::ChangeType, command::Command},
};

shared_model::json_object! {
    /// A new name of a file.
    #[derive(Debug)]
    pub struct RenameFile {
        /// The new name.
        pub name: Name,
    }
    example = {"name": "Minutes of May"};
}

pub async fn rename(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    MustBeNew(must_be_new): MustBeNew,
    Body(RenameFile { name }): Body<RenameFile>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Active, if_match)?;
            protection::check::check(conn, by, id)?;
            // The file itself is left out: it may change only the case of its name.
            if must_be_new && store::has_name(conn, by.owner(), file.parent_id, &name, Some(id))? {
                return Err(codes::NAME_EXISTS.refusal().into());
            }
            let file = store::update(conn, by, file, Update::Rename(&name), ChangeType::FileRenamed)?;
            Ok(by.links.answer(file)?)
        })
        .await
}
