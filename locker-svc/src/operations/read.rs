//! `GET /api/v1/operations/{id}`: where an operation stands, for whoever asked for it.

use shared_runtime::{Answer, Caller, Desk, Halt, Path, Refusal};

use super::{OperationView, POLL_SECONDS, store};
use crate::{ids::OperationId, permissions::Chat};

/// The operation, with `Retry-After` while it goes on.
pub async fn read(
    caller: Caller<Chat>,
    Path((id,)): Path<(OperationId,)>,
    desk: Desk,
) -> Result<Answer<OperationView>, Halt> {
    let owner = caller.subject.clone();
    let found = desk.read(move |conn| Ok(store::find_owned(conn, &owner, id)?)).await?;
    let operation = found.ok_or_else(Refusal::not_found)?;
    let is_over = operation.finished_at.is_some();
    let answer = Answer::ok(&OperationView::from(operation))?;
    Ok(if is_over { answer } else { answer.header("retry-after", POLL_SECONDS.to_string()) })
}
