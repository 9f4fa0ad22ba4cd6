//! `POST /v1/files/{file_id}/copy`: copy the current version of a file.

use shared_model::{Error, Failure, Name, Problem, Refusal, code};
use shared_runtime::{Answer, Body, MustBeNew, Path};

use super::{
    add::{self, Addition},
    file::{FileAnswer, FileState},
    precondition, store,
};
use crate::{
    base::{ids::FileId, parent::Parent, permissions::WriteFiles},
    files::version_content::KeptContent,
    workspace::command::Command,
};
use cloud_content::file_type::FileType;

shared_model::json_object! {
    /// Where the copy goes.
    #[derive(Debug)]
    pub struct CopyFile {
        /// The name of the copy; absent: the name of the file.
        pub name: Option<Name>,
        /// The folder of the copy; absent: the folder of the file.
        pub parent_id: Option<Parent>,
    }
    example = {"name": "Minutes, second draft"};
}

// The copy keeps the ids of its parts. Comments and plans stay with the original.
pub async fn copy(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    MustBeNew(must_be_new): MustBeNew,
    Body(CopyFile { name, parent_id }): Body<CopyFile>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            if file.kind == FileType::Folder {
                let problem =
                    Problem { at: "file_id".to_owned(), rule: "must be a file: folders are not copied".to_owned() };
                return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into());
            }
            precondition::check_state(&file, FileState::Active, &by.links)?;
            let (_, stored) = store::with_content(conn, by.owner(), id, file.kind)?
                .ok_or_else(|| Failure::fault("the current version of a file has no row"))?;
            let content = KeptContent::load(conn, stored)?;
            // A stored name is valid, so an error would be a fault of the service.
            let same_name = Name::parse(&file.name).map_err(Failure::fault)?;
            let addition = Addition {
                parent_id: parent_id.map_or(file.parent_id, Parent::folder),
                name: name.as_ref().unwrap_or(&same_name),
                kind: file.kind,
                content: Some((&content).into()),
                must_be_new,
            };
            let copied = add::add(conn, by, addition)?;
            let href = by.links.content_href(copied.id, copied.kind);
            Ok(by.links.answer(copied)?.header("location", href))
        })
        .await
}
