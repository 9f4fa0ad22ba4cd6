//! `POST /v1/files/{file_id}/move`: move a file to another folder.

use shared_model::{Error, Name};
use shared_runtime::{Answer, Body, IfMatch, MustBeNew, Path};

use super::{
    file::{FileAnswer, FileState},
    precondition, protection,
    store::{self, Update},
    tree::{self, Put},
};
use crate::{
    base::{codes, ids::FileId, parent::Parent, permissions::WriteFiles},
    workspace::{changes::ChangeType, command::Command},
};

shared_model::json_object! {
    /// Where the file goes.
    #[derive(Debug)]
    pub struct MoveFile {
        /// The new folder; null for the top.
        pub parent_id: Option<Parent> | null,
    }
    example = {"parent_id": null};
    check = parent_is_present;
}

// Without the member, the move would go to the top by mistake.
fn parent_is_present(reader: &shared_model::JsonReader<'_>, _: Option<&MoveFile>) {
    if reader.value().is_object() && reader.value().get("parent_id").is_none() {
        reader.note("", "must have the member \"parent_id\"");
    }
}

pub async fn move_to(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    MustBeNew(must_be_new): MustBeNew,
    Body(MoveFile { parent_id }): Body<MoveFile>,
) -> Result<Answer<FileAnswer>, Error> {
    let parent_id = parent_id.and_then(Parent::folder);
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Active, if_match)?;
            protection::check::check(conn, by, id)?;
            tree::check_place(conn, by.owner(), parent_id, Put::Existing(&file))?;
            if must_be_new {
                let name = Name::parse(&file.name).map_err(shared_model::Failure::fault)?;
                if store::has_name(conn, by.owner(), parent_id, &name, Some(id))? {
                    return Err(codes::NAME_EXISTS.refusal().into());
                }
            }
            let file = store::update(conn, by, file, Update::Move(parent_id), ChangeType::FileMoved)?;
            Ok(by.links.answer(file)?)
        })
        .await
}
