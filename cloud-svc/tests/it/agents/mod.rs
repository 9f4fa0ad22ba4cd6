//! The agents of a workspace and their limits.

mod limits;
mod manage;
mod pages;
mod random_limits;

use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

/// An agent with all scopes, which the service has seen.
pub async fn agent(stage: &Stage, name: &str, workspace: i64) -> Caller {
    let actor = json!({"type": "agent", "id": name, "display_name": name});
    let agent = stage.caller(name).workspace(workspace).claim("actor", actor);
    agent.get("/v1/workspaces").await.status(200);
    agent
}

pub async fn limit(person: &Caller, agent: &Caller, limits: Value) -> Response {
    let path = format!("/v1/agents/{}/limits", agent.claim_text("grant_id"));
    person.request("PUT", path).fresh_key().json(limits).await
}

/// The ids of the items of a list.
fn ids(list: &Response) -> Vec<String> {
    let mut ids: Vec<_> =
        list["items"].as_array().expect("items").iter().map(|item| item["id"].text().to_owned()).collect();
    ids.sort();
    ids
}
