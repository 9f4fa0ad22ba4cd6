//! `POST /v1/agents/{grant_id}/revoke`: ends the access of an agent for good.

use serde::{Deserialize, Serialize};
use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Body, Path, identity};
use utoipa::ToSchema;

use super::{
    person,
    record::{self, AgentRecord},
};
use crate::{
    base::{empty::Empty, ids::GrantId, permissions::ApproveEdits},
    workspace::{agents, command::Command},
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct AgentAnswer {
    pub agent: AgentRecord,
}

pub async fn revoke(
    command: Command<ApproveEdits>,
    Path((grant,)): Path<(GrantId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<AgentAnswer>, Error> {
    command
        .run(move |conn, by| {
            person::check_actor(&by.author.actor)?;
            // Only a grant that was seen here as an agent's: a person's grant is that person's, or the operator's, to end.
            let agent = agents::find(conn, by.workspace(), grant.as_str())?.ok_or_else(code::not_found)?;
            if identity::revoke(conn, grant.as_str(), by.at)? {
                agents::set_revoked(conn, agent.number, &by.author.actor_json)?;
            }
            // As it is stored: somebody else may have revoked it before.
            let found = agents::find(conn, by.workspace(), grant.as_str())?.into_iter().collect();
            let agent = record::records(conn, by.workspace(), found, by.at)?.pop();
            let agent = agent.ok_or_else(|| Failure::fault("an agent is gone in its own transaction"))?;
            Ok(Answer::ok(&AgentAnswer { agent })?)
        })
        .await
}
