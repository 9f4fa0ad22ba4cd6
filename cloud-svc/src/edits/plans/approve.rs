//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/approve`: approves a plan of somebody else.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    plan::Verdict,
    record::PlanAnswer,
    verdict::{self, Words},
};
use crate::{
    base::{
        empty::Empty,
        ids::{FileId, PlanId},
        permissions::ApproveEdits,
    },
    workspace::command::Command,
};

// The approval is of the content that the plan previewed: `apply` writes that content, once.
pub async fn approve(
    command: Command<ApproveEdits>,
    Path(plan): Path<(FileId, PlanId)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<PlanAnswer>, Error> {
    command.run(move |conn, by| verdict::give(conn, by, plan, Verdict::Approved, Words::default())).await
}
