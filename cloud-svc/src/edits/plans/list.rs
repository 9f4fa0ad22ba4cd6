//! `GET /v1/files/{file_id}/edit-plans`: lists the open plans for a file.

use serde::{Deserialize, Serialize};
use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path, State};
use utoipa::ToSchema;

use super::{record::PlanRecord, store};
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files,
};

/// The most plans in a list.
const PLANS: i64 = 50;

/// The open plans for a file.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanList {
    /// Newest first, without their `changes`.
    #[schema(max_items = 50)]
    pub items: Vec<PlanRecord>,
    /// Always true: plans quote the content.
    pub content_is_untrusted: bool,
}

pub async fn list(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<PlanList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let found = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let plans = store::open(conn, id, now, PLANS)?;
        Ok((file, plans))
    });
    let (file, plans) = found.await?;
    let mut items = Vec::with_capacity(plans.len());
    for (plan, preview) in plans {
        // The changes of one plan may fill an answer already.
        items.push(PlanRecord { changes: None, totals: None, ..PlanRecord::new(plan, &preview, &file, &links, now)? });
    }
    Ok(Answer::ok(&PlanList { items, content_is_untrusted: true })?)
}
