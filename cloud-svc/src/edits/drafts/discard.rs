//! `POST /v1/scratch/{draft_id}/discard`: deletes a draft.

use shared_model::{Error, code};
use shared_runtime::{Answer, Body, Path};

use super::store;
use crate::{
    base::{
        empty::{Done, Empty},
        ids::DraftId,
        permissions::WriteFiles,
    },
    workspace::command::Command,
};

pub async fn discard(
    command: Command<WriteFiles>,
    Path((id,)): Path<(DraftId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<Done>, Error> {
    command
        .run(move |conn, by| {
            let draft = store::find(conn, &by.author, id, by.at)?.ok_or_else(code::not_found)?;
            store::delete(conn, &by.author, &draft)?;
            Ok(Answer::ok(&Done {})?)
        })
        .await
}
