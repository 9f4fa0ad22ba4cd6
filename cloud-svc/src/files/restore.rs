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
    base::{codes, ids::FileId, parent::Parent, permissions::WriteFiles},
    workspace::{changes::ChangeType, command::Command},
};

#[derive(Debug)]
pub struct RestoreFile {
    /// `None` for the folder that it was in.
    pub parent_id: Option<Parent>,
}

impl FromJson for RestoreFile {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        let is_present = reader.value().get("parent_id").is_some();
        reader.object(|object| {
            let parent_id = object.nullable("parent_id", Parent::read)?;
            Some(Self { parent_id: is_present.then(|| parent_id.unwrap_or(Parent::Root)) })
        })
    }
}

impl PartialSchema for RestoreFile {
    fn schema() -> RefOr<Schema> {
        let parent = "The folder to restore into; null: the top; absent: the folder that the file was in, or the top if that \
                      folder was purged.";
        ObjectSchema::new(&["Where the file goes."])
            .optional_nullable::<Parent>("parent_id", &[parent])
            .example(serde_json::json!({}))
            .into()
    }
}

impl ToSchema for RestoreFile {}

pub async fn restore(
    command: Command<WriteFiles>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    Body(RestoreFile { parent_id }): Body<RestoreFile>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Trashed, if_match)?;
            let parent = match parent_id {
                Some(parent) => parent.folder(),
                None => tree::parent_to_return_to(conn, &file)?,
            };
            tree::check_place(conn, by.owner(), parent, Put::Existing(&file)).map_err(|error| {
                match (error, parent) {
                    // The request may name no parent, so "correct the request" would not help: the client should look
                    // at the folder.
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
