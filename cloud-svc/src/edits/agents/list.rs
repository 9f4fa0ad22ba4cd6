//! `GET /v1/agents`: the agents that were seen in the workspace.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error};
use shared_runtime::{Answer, Caller, Context, Query, http::list::Page};
use utoipa::ToSchema;

use super::{
    person,
    record::{self, AgentRecord},
};
use crate::{
    base::{ids::WorkspaceId, permissions::ApproveEdits},
    workspace::agents,
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct AgentList {
    /// In the order of the ids of their grants.
    #[schema(max_items = 100)]
    pub items: Vec<AgentRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
}

pub async fn list(
    caller: Caller<ApproveEdits>,
    Query(page): Query<Page>,
    context: Context,
) -> Result<Answer<AgentList>, Error> {
    person::check(&caller)?;
    let workspace = WorkspaceId::from_identity(&caller)?;
    let now = context.clock.now();
    let cursors = Cursor::for_list(&context.secret, "list_agents", &workspace.to_string(), "");
    let (after, rows) = (page.position::<String>(&cursors, now)?.unwrap_or_default(), page.rows());
    let found = context.read(move |conn| {
        let (found, has_more) = page.cut(agents::list(conn, workspace, &after, rows)?);
        Ok((record::records(conn, workspace, found, now)?, has_more))
    });
    let (items, has_more) = found.await?;
    let next_cursor = items.last().filter(|_| has_more).map(|last| cursors.encode(&last.grant_id, now));
    Ok(Answer::ok(&AgentList { items, next_cursor, has_more })?)
}
