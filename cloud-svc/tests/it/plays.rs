//! How the owner of a workspace uses each operation successfully.

use serde_json::json;
use shared_testing::{Caller, Play, Text as _};

/// One play for every operation.
pub async fn plays(owner: &Caller) -> Vec<Play> {
    let created = owner.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await.status(200);
    let document = created["file"]["id"].text().to_owned();
    vec![
        Play::of("get_service", |who| who.get("/v1/service")),
        Play::of("get_developer_manifest", |who| who.get("/.well-known/developer-manifest.json")),
        Play::of("list_workspaces", |who| who.get("/v1/workspaces")),
        Play::of("create_document", |who| who.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}))),
        Play::of("read_command", |who| who.get("/v1/idempotency/k")).taking_any_text(),
        Play::on("get_document", document, "file_999999999", |who, id| who.get(format!("/v1/documents/{id}"))),
    ]
}
