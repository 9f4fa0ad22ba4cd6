//! `POST /v1/scratch/{draft_id}/update`: write a draft anew.

use shared_model::{Error, JsonReader, Name, Refusal, code};
use shared_runtime::{Answer, Body, Path};

use super::{
    content::DraftContent,
    create::end,
    draft::{Draft, DraftAnswer, DraftState},
    store,
};
use crate::{
    base::{codes, ids::DraftId, permissions::WriteFiles},
    workspace::command::Command,
};

shared_model::json_object! {
    /// What is sent: a name, content, or both.
    #[derive(Debug)]
    pub struct UpdateDraft {
        /// Another name; absent: the same.
        pub name: Option<Name>,
        /// What it says from now on: content of its type; absent: the same.
        pub content: Option<DraftContent>,
    }
    example = {"content": {"title": "Shopping", "content": "- milk\n- bread"}};
    check = something_is_told;
}

fn something_is_told(reader: &JsonReader<'_>, body: Option<&UpdateDraft>) {
    if body.is_some_and(|body| body.name.is_none() && body.content.is_none()) {
        reader.note("", "must have \"name\" or \"content\"");
    }
}

/// Writes a draft anew; its seven days begin again.
pub async fn update(
    command: Command<WriteFiles>,
    Path((id,)): Path<(DraftId,)>,
    Body(UpdateDraft { name, content }): Body<UpdateDraft>,
) -> Result<Answer<DraftAnswer>, Error> {
    let (author, now) = (command.by.author.clone(), command.by.at);
    // The type of a draft never changes: what it says is judged before the transaction. A command that is sent again has its
    // answer though the draft is gone.
    let content = match content {
        Some(content) => {
            let random = command.context.random.clone();
            let judge = move |conn: &mut _| {
                let draft = store::find(conn, &author, id, now)?;
                draft.map(|draft| content.canonical(draft.kind, &random)).transpose()
            };
            command.context.read(judge).await?
        }
        None => None,
    };
    command
        .run(move |conn, by| {
            let draft = store::find(conn, &by.author, id, by.at)?.ok_or_else(code::not_found)?;
            check_open(&draft)?;
            let written = (name.as_ref(), content.as_ref());
            let draft = store::update(conn, &by.author, draft, written, (by.at, end(by.at)))?;
            Ok(DraftAnswer::ok(draft)?)
        })
        .await
}

/// 409 once it has become a file.
fn check_open(draft: &Draft) -> Result<(), Refusal> {
    match draft.state {
        DraftState::Draft => Ok(()),
        DraftState::Promoted => Err(codes::DRAFT_PROMOTED.refusal()),
    }
}
