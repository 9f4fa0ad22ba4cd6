//! `GET /v1/files/{file_id}/edit-plans/{plan_id}`: reads a plan in any state.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path, State};

use super::{
    plan::{PlanAnswer, PlanRecord},
    store,
};
use crate::{
    base::{
        ids::{FileId, PlanId, WorkspaceId},
        links::FileLinks,
        permissions::ReadFiles,
    },
    files,
};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((file, id)): Path<(FileId, PlanId)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<PlanAnswer>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let found = context.look_up(move |conn| {
        let file = files::store::find(conn, owner, file)?.ok_or_else(code::not_found)?;
        let (plan, preview) = store::find(conn, file.id, id)?.ok_or_else(code::not_found)?;
        Ok((file, plan, preview))
    });
    let (file, plan, preview) = found.await?;
    Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &links, context.clock.now())?)?)
}
