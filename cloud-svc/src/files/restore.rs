//! `POST /v1/files/{file_id}/restore`: take a file out of the trash.

use shared_model::{Error, FromJson, JsonReader, NextAction, openapi_schema::ObjectSchema, rule::Rule as _};
use shared_runtime::{Answer, Body, IfMatch, Path};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    file::{FileAnswer, FileState},
    precondition,
    store::{self, Update},
    tree::{self, Put},
};
use crate::{
    base::{codes, ids::FileId, permissions::WriteFiles},
    workspace::{changes::ChangeType, command::Command},
};

#[derive(Debug)]
pub struct RestoreFile {
    /// The folder that it shall be in, or the top; absent: the folder that it was in, or the top where that is gone.
    pub parent_id: Option<Option<FileId>>,
}

impl FromJson for RestoreFile {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        let is_told = reader.value().get("parent_id").is_some();
        reader.object(|object| {
            let parent_id = object.nullable("parent_id", FileId::read)?;
            Some(Self { parent_id: is_told.then_some(parent_id) })
        })
    }
}

impl PartialSchema for RestoreFile {
    fn schema() -> RefOr<Schema> {
        let parent = "The folder that it shall be in; null: the top; absent: the folder that it was in, or the top where that is \
                      gone.";
        ObjectSchema::new(&["What is sent."])
            .optional_nullable::<FileId>("parent_id", &[parent])
            .example(serde_json::json!({}))
            .into()
    }
}

impl ToSchema for RestoreFile {}

/// Restores a file, to its folder wherever that is by now.
pub async fn restore(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfMatch,
    Body(RestoreFile { parent_id }): Body<RestoreFile>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Trashed, seen)?;
            let parent = match parent_id {
                Some(parent) => parent,
                None => tree::parent_to_return_to(conn, &file)?,
            };
            tree::check_place(conn, by.owner(), parent, Put::Existing(&file)).map_err(|error| {
                match (error, parent) {
                    (Error::Refused(refusal), Some(parent)) if *refusal.code == codes::PARENT_TRASHED => {
                        refusal.next(NextAction::Refresh { href: by.links.href(parent), etag: None }).into()
                    }
                    (error, _) => error,
                }
            })?;
            let file = store::update(conn, by, file, Update::Restore(parent), ChangeType::FileRestored)?;
            Ok(by.links.answer(file)?)
        })
        .await
}
