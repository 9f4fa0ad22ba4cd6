//! `GET /v1/files/{file_id}/edit-plans/{plan_id}/compare`: how the result of one plan differs from that of another.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Error, Failure, code, refusal::NextStep};
use shared_runtime::{Answer, Caller, Conn, Context, FromQuery, Params, Path, Query, http::contract::QueryParameter};
use utoipa::ToSchema;

use super::{operation, plan::Plan, store};
use crate::{
    base::{
        ids::{FileId, PlanId},
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{self, version_store},
};
use cloud_content::{
    comparison,
    content::Content,
    edited::edited,
    of_kind,
    preview::{Change, Counts, Preview},
};

/// The changes from the result of one plan to the result of another.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanComparison {
    pub from: PlanId,
    pub to: PlanId,
    pub summary: Counts,
    /// In the shape of a plan's changes. All have the `op` 0.
    #[schema(value_type = Vec<Change>)]
    pub changes: Box<RawValue>,
    /// Always true: the changes quote the content.
    pub content_is_untrusted: bool,
}

#[derive(Debug)]
pub struct WithPlan(PlanId);

impl FromQuery for WithPlan {
    fn describe() -> Vec<QueryParameter> {
        vec![QueryParameter::typed::<PlanId>("with", true, "The plan that is `to` in the answer.")]
    }

    // A missing parameter is refused by `params` itself.
    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        match params.text("with")?.parse() {
            Ok(plan) => Some(Self(plan)),
            Err(rule) => params.refuse("with", rule),
        }
    }
}

pub const NO_SUCH_PLAN: NextStep = NextStep::CorrectOne("with", "must be a plan for the file");

pub async fn compare(
    caller: Caller<ReadFiles>,
    Path((id, from)): Path<(FileId, PlanId)>,
    Query(WithPlan(to)): Query<WithPlan>,
    context: Context,
) -> Result<Answer<PlanComparison>, Error> {
    let owner = Owner::of_caller(&caller)?;
    // Compared where the database is read, and not where requests are served: a workbook may have a million cells.
    let compared = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let one = store::find_row(conn, id, from)?.ok_or_else(code::not_found)?;
        let other = store::find_row(conn, id, to)?.ok_or_else(|| code::not_found().step(NO_SUCH_PLAN))?;
        let preview = of_kind!(file.kind, C => {
            comparison::compare(&versions::<C>(conn, &one)?.1, &versions::<C>(conn, &other)?.1)?
        });
        let Preview { changes, counts, .. } =
            preview.ok_or_else(|| Failure::fault("a plan for a file without content"))?;
        let changes = to_raw_value(&changes).map_err(Failure::from)?;
        Ok(PlanComparison { from, to, summary: counts, changes, content_is_untrusted: true })
    });
    Ok(Answer::ok(&compared.await?)?)
}

/// The version that a plan is for, and what the plan would write. A plan that is no longer open keeps its operations, and
/// no copy of the content.
pub fn versions<C: Content>(conn: &mut Conn, plan: &Plan) -> Result<(C, C), Error> {
    let (_, base) = version_store::find(conn, plan.file_id, plan.base_version_id)?.ok_or_else(code::not_found)?;
    let base: C = serde_json::from_str(&base.content).map_err(Failure::from)?;
    let operations = operation::stored::<C>(&store::operations(conn, plan.id)?)?;
    // Without retired ids: the proposal has been checked against them.
    let (after, _) = edited(&base, &operations, HashSet::new())?;
    Ok((base, after))
}
