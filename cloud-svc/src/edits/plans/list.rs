//! `GET /v1/files/{file_id}/edit-plans`: the plans for a file that can still be applied.

use serde::Serialize;
use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path, State};
use utoipa::ToSchema;

use super::{plan::PlanRecord, store};
use crate::{
    base::{
        ids::{FileId, WorkspaceId},
        links::FileLinks,
        permissions::ReadFiles,
    },
    files,
};

/// Plans in a list at most.
const PLANS: i64 = 50;

/// Plans for a file.
#[derive(Serialize, ToSchema)]
pub struct PlanList {
    /// The plans, newest first, without their `changes`.
    #[schema(max_items = 50)]
    pub items: Vec<PlanRecord>,
    /// Always true: what plans would write is not from the service.
    pub content_is_untrusted: bool,
}

/// Lists the open plans of the grant, and those of others that are in review or approved.
pub async fn list(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    context: Context,
    State(records): State<FileLinks>,
) -> Result<Answer<PlanList>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let grant = caller.grant_id.clone();
    let now = context.clock.now();
    let found = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let plans = store::open(conn, id, &grant, now, PLANS)?;
        Ok((file, plans))
    });
    let (file, plans) = found.await?;
    let mut items = Vec::with_capacity(plans.len());
    for (plan, preview) in plans {
        items.push(PlanRecord { changes: None, ..PlanRecord::of(plan, &preview, &file, &records, now)? });
    }
    Ok(Answer::ok(&PlanList { items, content_is_untrusted: true })?)
}
