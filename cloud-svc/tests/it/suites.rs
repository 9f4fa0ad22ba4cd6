//! The suites that every service passes: who may do what, and requests that no client of good will sends.

use serde_json::json;
use shared_testing::{Caller, OperationFixture, Stage, Text as _, authorization, hostile};

/// One fixture for every operation.
async fn fixtures(owner: &Caller) -> Vec<OperationFixture> {
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

#[shared_testing::test]
async fn nobody_passes_without_a_right() {
    let stage = Stage::of(cloud_svc::service()).await;
    let (ada, bob) = (stage.caller("ada").workspace(1), stage.caller("bob").workspace(2));
    authorization::suite(&stage, &ada, &bob, &fixtures(&ada).await).await;
}

#[shared_testing::test]
async fn a_token_of_this_surface_names_a_workspace_and_an_actor() {
    let stage = Stage::of(cloud_svc::service()).await;
    for claim in ["workspace_id", "actor"] {
        let caller = stage.caller("ada").without_claim(claim);
        caller.get("/v1/workspaces").await.refused(401, "invalid_token");
    }
}

#[shared_testing::test]
async fn hostile_requests_get_typed_errors() {
    let stage = Stage::of(cloud_svc::service()).await;
    let ada = stage.caller("ada");
    hostile::suite(&stage, &ada, &fixtures(&ada).await).await;
}

#[test]
fn the_command_line_is_as_a_person_expects() {
    shared_testing::command_line::check(env!("CARGO_BIN_EXE_cloud-svc"), &cloud_svc::service());
}
