//! `GET /v1/agents/{grant_id}/limits`: what an agent may see and do.

use serde::{Deserialize, Serialize};
use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path};
use utoipa::ToSchema;

use super::{
    person,
    record::{self, AgentLimits},
};
use crate::{
    base::{
        ids::{GrantId, WorkspaceId},
        permissions::ApproveEdits,
    },
    workspace::agents,
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct LimitsAnswer {
    pub limits: AgentLimits,
}

pub async fn read(
    caller: Caller<ApproveEdits>,
    Path((grant,)): Path<(GrantId,)>,
    context: Context,
) -> Result<Answer<LimitsAnswer>, Error> {
    person::check(&caller)?;
    let workspace = WorkspaceId::from_identity(&caller)?;
    let limits = context.look_up(move |conn| {
        let agent = agents::find(conn, workspace, grant.as_str())?.ok_or_else(code::not_found)?;
        Ok(record::limits(conn, &agent)?)
    });
    Ok(Answer::ok(&LimitsAnswer { limits: limits.await? })?)
}
