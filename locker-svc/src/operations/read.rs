//! `GET /api/v1/operations/{id}`: where an operation stands, for whoever asked for it.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path};

use super::{OperationView, POLL_SECONDS, store};
use crate::{ids::OperationId, permissions::Chat};

/// The operation, with `Retry-After` while it goes on.
pub async fn read(
    caller: Caller<Chat>,
    Path((id,)): Path<(OperationId,)>,
    context: Context,
) -> Result<Answer<OperationView>, Error> {
    let owner = caller.subject.clone();
    let found = context.read(move |conn| Ok(store::find_owned(conn, &owner, id)?)).await?;
    let operation = found.ok_or_else(code::not_found)?;
    let is_over = operation.finished_at.is_some();
    let answer = Answer::ok(&OperationView::from(operation))?;
    Ok(if is_over { answer } else { answer.header("retry-after", POLL_SECONDS.to_string()) })
}
