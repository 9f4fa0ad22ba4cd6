//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/discard`: discards a plan.

use shared_model::{Error, code};
use shared_runtime::{Answer, Body, Path};

use super::{
    derive,
    record::{PlanAnswer, PlanRecord},
    rules::{self, Step},
    store,
};
use crate::{
    base::{
        empty::Empty,
        ids::{FileId, PlanId},
        permissions::ProposeEdits,
    },
    files,
    workspace::command::Command,
};

pub async fn discard(
    command: Command<ProposeEdits>,
    Path((id, plan)): Path<(FileId, PlanId)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<PlanAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let (plan, preview) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
            rules::check(conn, by, &plan, Step::Discard)?;
            plan.check_open(&by.links, &file)?;
            plan.check_alone(&by.links)?;
            let plan = derive::discard(conn, by, plan)?;
            Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &by.links, by.at)?)?)
        })
        .await
}
