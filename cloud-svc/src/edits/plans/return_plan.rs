//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/return`: sends a plan back to its author, with words.

use shared_model::{
    Error,
    rule::{Array, Text},
};
use shared_runtime::{Answer, Body, Path};

use super::change_note::ChangeNote;
use super::{
    plan::Verdict,
    record::PlanAnswer,
    verdict::{self, Words},
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        permissions::ApproveEdits,
    },
    workspace::command::Command,
};

/// The most remarks on changes.
const NOTES: usize = 100;

shared_model::json_object! {
    /// What the author of a plan should change.
    #[derive(Debug)]
    pub struct ReturnPlan {
        pub reason: String as Text<1000>,
        /// Remarks on single changes.
        pub on: Option<Vec<ChangeNote>> as Array<ChangeNote, 0, NOTES>,
    }
    example = {"reason": "Please use the figures of this year.", "on": [{"change": "c1", "text": "This one is of 2024."}]};
}

/// The author revises the plan or discards it. Until then nobody can apply it.
pub async fn return_plan(
    command: Command<ApproveEdits>,
    Path(plan): Path<(FileId, PlanId)>,
    Body(ReturnPlan { reason, on }): Body<ReturnPlan>,
) -> Result<Answer<PlanAnswer>, Error> {
    let on = on.unwrap_or_default();
    command
        .run(move |conn, by| {
            let words = Words { reason: Some(reason.clone()), on: on.clone() };
            verdict::give(conn, by, plan, Verdict::Returned, words)
        })
        .await
}
