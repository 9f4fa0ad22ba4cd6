//! `GET /v1/workspaces`: the one workspace that the grant selects, and the actor.

use serde::Serialize;
use shared_model::{Error, Failure};
use shared_runtime::{Answer, Caller, Context, identity::Actor};
use utoipa::ToSchema;

use super::store::{self, Workspace};
use crate::base::{ids::WorkspaceId, permissions::ReadFiles};

#[derive(Serialize, ToSchema)]
pub struct WorkspacesAnswer {
    #[schema(min_items = 1, max_items = 1)]
    pub workspaces: [Workspace; 1],
    /// The actor of the grant.
    pub actor: Actor,
}

pub async fn list(caller: Caller<ReadFiles>, context: Context) -> Result<Answer<WorkspacesAnswer>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let actor = caller.actor.clone().ok_or_else(|| Failure::fault("a token of this surface has no actor"))?;
    let workspace = context.look_up(move |conn| Ok(store::find(conn, owner)?)).await?;
    // The row is inserted in the transaction that records the grant, so it exists.
    let workspace = workspace.ok_or_else(|| Failure::fault("the workspace of a known grant has no row"))?;
    Ok(Answer::ok(&WorkspacesAnswer { workspaces: [workspace], actor })?)
}
