//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/reject`: rejects a plan of somebody else.

use shared_model::{Error, rule::Text};
use shared_runtime::{Answer, Body, Path};

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

shared_model::json_object! {
    /// The reason of a rejection.
    #[derive(Debug)]
    pub struct RejectPlan {
        pub reason: String as Text<1000>,
    }
    example = {"reason": "The figures are those of last year."};
}

pub async fn reject(
    command: Command<ApproveEdits>,
    Path(plan): Path<(FileId, PlanId)>,
    Body(RejectPlan { reason }): Body<RejectPlan>,
) -> Result<Answer<PlanAnswer>, Error> {
    command
        .run(move |conn, by| {
            let words = Words { reason: Some(reason.clone()), ..Words::default() };
            verdict::give(conn, by, plan, Verdict::Rejected, words)
        })
        .await
}
