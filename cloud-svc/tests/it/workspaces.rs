//! `GET /v1/workspaces`.

use cloud_svc::service;
use shared_testing::Stage;

use crate::samples;

#[shared_testing::test]
async fn a_grant_selects_exactly_one_workspace() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    samples::create(&ada, "Plan").await;
    let response = ada.get("/v1/workspaces").await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "actor": {
        "display_name": "ada",
        "id": "ada",
        "type": "user"
      },
      "request_id": "[req]",
      "workspaces": [
        {
          "agent_writes": "review_risky",
          "agents_may_review": false,
          "agents_read_only": false,
          "change_sequence": 1,
          "created_at": "[timestamp]",
          "id": "ws_1",
          "name": "Workspace 1",
          "state": "active",
          "storage_quota_bytes": 5368709120,
          "storage_reserved_bytes": 0,
          "storage_used_bytes": 83
        }
      ]
    }
    "#);
    let response = bob.get("/v1/workspaces").await.status(200);
    assert_eq!(response["workspaces"][0]["id"], "ws_2");
    assert_eq!(response["workspaces"][0]["storage_used_bytes"], 0);
}

#[shared_testing::test]
async fn two_grants_may_select_one_workspace() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let first = ada.get("/v1/workspaces").await.status(200);
    let second = bob.get("/v1/workspaces").await.status(200);
    assert_eq!(first["workspaces"], second["workspaces"]);
    assert_ne!(first["actor"], second["actor"]);
}
