//! `POST /v1/scratch/{draft_id}/update`: changes a draft.

use shared_model::{Error, JsonReader, Name, NextAction, Refusal, code};
use shared_runtime::{Answer, Body, Path};

use super::{
    content::DraftContent,
    create::end,
    draft::{Draft, DraftAnswer, DraftState},
    store,
};
use crate::{
    base::{codes, ids::DraftId, links::FileLinks, permissions::WriteFiles},
    workspace::command::Command,
};

shared_model::json_object! {
    /// A new name, new content or both.
    #[derive(Debug)]
    pub struct UpdateDraft {
        /// Unchanged if absent.
        pub name: Option<Name>,
        /// Content of the draft's type. Unchanged if absent.
        pub content: Option<DraftContent>,
    }
    example = {"content": {"title": "Shopping", "content": "- milk\n- bread"}};
    check = has_a_member;
}

fn has_a_member(reader: &JsonReader<'_>, body: Option<&UpdateDraft>) {
    if body.is_some_and(|body| body.name.is_none() && body.content.is_none()) {
        reader.note("", "must have \"name\" or \"content\"");
    }
}

/// Changes a draft. Its seven days begin again.
pub async fn update(
    command: Command<WriteFiles>,
    Path((id,)): Path<(DraftId,)>,
    Body(UpdateDraft { name, content }): Body<UpdateDraft>,
) -> Result<Answer<DraftAnswer>, Error> {
    let (author, now) = (command.by.author.clone(), command.by.at);
    // The type of a draft never changes, so its content is checked before the transaction, where nobody waits for the
    // database. A missing draft is not an error yet: a repeated command must get its first answer.
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
            check_open(&draft, &by.links)?;
            let written = (name.as_ref(), content.as_ref());
            let draft = store::update(conn, &by.author, draft, written, (by.at, end(by.at)))?;
            Ok(DraftAnswer::ok(draft)?)
        })
        .await
}

/// 409 if the draft has become a file.
fn check_open(draft: &Draft, links: &FileLinks) -> Result<(), Refusal> {
    match draft.state {
        DraftState::Draft => Ok(()),
        DraftState::Promoted => {
            // The column is null only before the promotion.
            let href = draft.file_id.map_or_else(|| links.url("/v1/files"), |file| links.href(file));
            Err(codes::DRAFT_PROMOTED.refusal().next(NextAction::Refresh { href, etag: None }))
        }
    }
}
