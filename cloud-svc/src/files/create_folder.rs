//! `POST /v1/folders`: create a folder.

use shared_model::{Error, Name};
use shared_runtime::{Answer, Body, MustBeNew};

use crate::{
    base::{parent::Parent, permissions::WriteFiles},
    files::{
        add::{self, Addition},
        file::FileAnswer,
    },
    workspace::command::Command,
};
use cloud_content::file_type::FileType;

shared_model::json_object! {
    /// A folder to create.
    #[derive(Debug)]
    pub struct CreateFolder {
        pub name: Name,
        /// The parent folder; absent: the top.
        pub parent_id: Option<Parent>,
    }
    example = {"name": "Meetings"};
}

pub async fn create(
    command: Command<WriteFiles>,
    MustBeNew(must_be_new): MustBeNew,
    Body(CreateFolder { name, parent_id }): Body<CreateFolder>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let (kind, parent_id) = (FileType::Folder, parent_id.and_then(Parent::folder));
            let folder = add::add(conn, by, Addition { parent_id, name: &name, kind, content: None, must_be_new })?;
            let href = by.links.href(folder.id);
            Ok(by.links.answer(folder)?.header("location", href))
        })
        .await
}
