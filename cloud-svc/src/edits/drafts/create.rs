//! `POST /v1/scratch`: keeps a draft.

use std::time::Duration;

use serde::Serialize;
use shared_model::{Error, Name, Timestamp};
use shared_runtime::{Answer, Body};

use super::{
    content::DraftContent,
    draft::{Draft, DraftAnswer, DraftState},
    draft_type::DraftType,
    store,
};
use crate::{
    base::{ids::DraftId, limits::SCRATCH_SECONDS, permissions::WriteFiles},
    workspace::command::Command,
};

shared_model::json_object! {
    /// A new draft.
    #[derive(Debug, Serialize)]
    pub struct CreateDraft {
        pub name: Name,
        /// The type of the file that it can become.
        #[serde(rename = "type")]
        pub kind: DraftType,
        /// Content of that type.
        pub content: DraftContent,
    }
    example = {"name": "Shopping", "type": "note", "content": {"title": "Shopping", "content": "- milk"}};
}

pub async fn create(
    command: Command<WriteFiles>,
    Body(CreateDraft { name, kind, content }): Body<CreateDraft>,
) -> Result<Answer<DraftAnswer>, Error> {
    // Made here, because the transaction may run again and must then write the same ids.
    let random = &command.context.random;
    let (id, content) = (DraftId::from_bytes(random.bytes16()), content.canonical(kind, random)?);
    command
        .run(move |conn, by| {
            let draft = Draft {
                id,
                name: name.as_str().to_owned(),
                kind,
                state: DraftState::Draft,
                file_id: None,
                content: content.as_str().to_owned(),
                expires_at: end(by.at),
            };
            store::insert(conn, &by.author, &draft, by.at)?;
            Ok(DraftAnswer::ok(draft)?.header("location", by.links.url(&format!("/v1/scratch/{id}"))))
        })
        .await
}

/// The end of a draft that is written now.
pub fn end(now: Timestamp) -> Timestamp {
    now.plus(Duration::from_secs(SCRATCH_SECONDS))
}
