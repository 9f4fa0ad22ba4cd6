//! How the owner of a workspace uses each operation successfully.

use serde_json::json;
use shared_testing::{Caller, OperationFixture, Text as _};

/// One fixture for every operation.
pub async fn fixtures(owner: &Caller) -> Vec<OperationFixture> {
    let created = owner.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await.status(200);
    let document = created["file"]["id"].text().to_owned();
    vec![
        OperationFixture::of("get_service", |who| who.get("/v1/service")),
        OperationFixture::of("get_developer_manifest", |who| who.get("/.well-known/developer-manifest.json")),
        OperationFixture::of("list_workspaces", |who| who.get("/v1/workspaces")),
        OperationFixture::of("create_document", |who| {
            who.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}))
        }),
        OperationFixture::of("read_command", |who| who.get("/v1/idempotency/k")).taking_any_text(),
        OperationFixture::on("get_document", document, "file_999999999", |who, id| {
            who.get(format!("/v1/documents/{id}"))
        }),
    ]
}
