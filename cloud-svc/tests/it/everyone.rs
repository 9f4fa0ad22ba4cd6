//! Every operation, as its owner, as a stranger, as everyone without a right, and as somebody hostile.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Caller, Play, Stage, authorization, hostile, run};

use crate::scene;

async fn plays(owner: &Caller) -> Vec<Play> {
    let created = scene::create(owner, "Plan").await;
    let id = created["file"]["id"].as_str().unwrap_or_default();
    vec![
        Play::of("get_service", |caller| caller.get("/v1/service")),
        Play::of("get_developer_manifest", |caller| caller.get("/.well-known/developer-manifest.json")),
        Play::of("list_workspaces", |caller| caller.get("/v1/workspaces")),
        Play::of("create_document", |caller| caller.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}))),
        Play::on("get_document", id, "file_999999", |caller, id| caller.get(format!("/v1/documents/{id}"))),
    ]
}

#[test]
fn nobody_does_what_they_may_not() {
    run(async {
        let stage = Stage::of(service()).await;
        let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
        let plays = plays(&ada).await;
        authorization::suite(&stage, &ada, &bob, &plays).await;
    });
}

#[test]
fn hostile_requests_meet_typed_refusals() {
    run(async {
        let stage = Stage::of(service()).await;
        let ada = stage.caller("ada");
        let plays = plays(&ada).await;
        hostile::suite(&stage, &ada, &plays).await;
    });
}
