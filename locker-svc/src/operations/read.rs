//! `GET /api/v1/operations/{id}`: a long-running operation, for the subject that asked for it.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path};

use super::{store, view::OperationView};
use crate::{ids::OperationId, permissions::Chat};

/// The operation, with `Retry-After` until it has ended.
pub async fn read(
    caller: Caller<Chat>,
    Path((id,)): Path<(OperationId,)>,
    context: Context,
) -> Result<Answer<OperationView>, Error> {
    let owner = caller.subject.clone();
    let found = context.read(move |conn| Ok(store::find_owned(conn, &owner, id)?)).await?;
    let operation = found.ok_or_else(code::not_found)?;
    let view = OperationView::new(operation)?;
    let answer = Answer::ok(&view)?;
    Ok(match view.poll_after_seconds {
        0 => answer,
        seconds => answer.header("retry-after", seconds.to_string()),
    })
}
