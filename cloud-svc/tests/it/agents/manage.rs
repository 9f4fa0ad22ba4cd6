//! `GET /v1/agents`, reading and setting limits, and revoking.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_runtime::identity::REVOCATION_DELAY;
use shared_testing::{Caller, Stage, Text as _, together};

use super::{agent, limit};
use crate::{commands::cloud, samples};

#[shared_testing::test]
async fn agents_are_listed_with_their_limits_and_open_plans() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (robot, other) = (agent(&stage, "robot", 1).await, agent(&stage, "other", 2).await);
    let room = samples::folder(&ada, "Room", None).await;
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::plan(&robot, &file, "two").await;
    limit(&ada, &robot, json!({"folders": [room], "types": ["note"], "may": "propose", "bytes_per_day": 9}))
        .await
        .status(200);
    let listed = ada.get("/v1/agents").await.status(200);
    let items = listed["items"].as_array().expect("items");
    assert_eq!(items.len(), 1, "people and agents of other workspaces are not there: {listed}");
    assert_eq!(items[0]["grant_id"], robot.claim_text("grant_id"));
    assert_eq!((&items[0]["open_plans"], &items[0]["is_active"]), (&json!(1), &json!(true)));
    assert!(items[0]["last_command_at"].is_string() && items[0]["token_expires_at"].is_string());
    let mut limits = items[0]["limits"].clone();
    assert_eq!(limits["set_by"]["id"], "ada");
    assert!(limits["set_at"].is_string());
    (limits["set_by"], limits["set_at"]) = (Value::Null, Value::Null);
    let expected = json!({"folders": [room], "types": ["note"], "may": "propose", "bytes_per_day": 9,
        "set_by": null, "set_at": null});
    assert_eq!(limits, expected);
    limit(&ada, &robot, json!({"may": "apply"})).await.status(200);
    let read = ada.get(format!("/v1/agents/{}/limits", robot.claim_text("grant_id"))).await.status(200);
    assert_eq!((&read["limits"]["folders"], &read["limits"]["may"]), (&Value::Null, &json!("apply")));
    limit(&ada, &other, json!({"may": "read"})).await.refused(404, "not_found");
    robot.get(format!("/v1/files/{file}")).await.status(200);
}

#[shared_testing::test]
async fn only_people_with_the_scope_see_and_limit_agents() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    robot.get("/v1/agents").await.refused(403, "person_required");
    limit(&robot, &robot, json!({"may": "apply"})).await.refused(403, "person_required");
    limit(&ada.clone().scope("cloud.write"), &robot, json!({"may": "read"})).await.refused(403, "insufficient_scope");
    let file = samples::id(&samples::create(&ada, "Plan").await);
    let bodies = [
        (json!({"may": "all"}), "/may"),
        (json!({}), ""),
        (json!({"may": "read", "folders": [file]}), "/folders/0"),
        (json!({"may": "read", "folders": ["file_999"]}), "/folders/0"),
        (json!({"may": "read", "folders": []}), "/folders"),
        (json!({"may": "read", "types": ["poem"]}), "/types/0"),
        (json!({"may": "read", "bytes_per_day": -1}), "/bytes_per_day"),
    ];
    for (body, place) in bodies {
        limit(&ada, &robot, body).await.refused(422, "invalid_field").problems_at(&[place]);
    }
}

#[shared_testing::test]
async fn a_workspace_can_let_all_agents_only_read() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let set = |value: &str| {
        let set = cloud(&stage, &["workspace", "set-policy", "ws_1", "--agents-read-only", value]);
        assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
    };
    set("true");
    let refused = samples::command(&robot, &file, "rename", json!({"name": "Other"})).await.await;
    let refused = refused.refused(403, "agent_limited");
    assert!(refused["error"]["message"].text().contains("only read"), "{refused}");
    robot.get(format!("/v1/files/{file}")).await.status(200);
    samples::command(&ada, &file, "rename", json!({"name": "Ours"})).await.await.status(200);
    set("false");
    samples::command(&robot, &file, "rename", json!({"name": "Other"})).await.await.status(200);
}

#[shared_testing::test]
async fn a_person_ends_the_access_of_an_agent_for_good() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let other = agent(&stage, "other", 2).await;
    let file = samples::id(&samples::create(&ada, "Plan").await);
    let path = |grant: &str| format!("/v1/agents/{grant}/revoke");
    let grant = robot.claim_text("grant_id");
    let revoke = |who: &Caller, grant: &str| who.post(path(grant)).fresh_key().json(json!({}));
    revoke(&robot, &grant).await.refused(403, "person_required");
    revoke(&ada.clone().scope("cloud.write"), &grant).await.refused(403, "insufficient_scope");
    for foreign in [&other.claim_text("grant_id"), &ada.claim_text("grant_id"), "nobody"] {
        revoke(&ada, foreign).await.refused(404, "not_found");
    }
    other.get("/v1/workspaces").await.status(200);
    let agents = together((0..20).map(|_| revoke(&ada, &grant))).await;
    for answer in &agents {
        assert_eq!(answer.status, 200, "{answer}");
        assert_eq!(
            (&answer["agent"]["is_active"], &answer["agent"]["revoked_by"]["id"]),
            (&json!(false), &json!("ada"))
        );
        assert_eq!(answer["agent"]["revoked_at"], agents[0]["agent"]["revoked_at"], "revoked once");
    }
    // The copy of the list of a process is at most this old.
    stage.clock.advance(REVOCATION_DELAY);
    robot.get(format!("/v1/files/{file}")).await.refused(401, "invalid_token");
    let listed = ada.get("/v1/agents").await.status(200);
    assert_eq!(listed["items"][0]["revoked_by"]["id"], "ada", "{listed}");
    ada.get(format!("/v1/files/{file}")).await.status(200);
}

/// Processes read the revocations after the last number that they know, so no number may be given twice or later.
#[shared_testing::test]
async fn agents_of_several_workspaces_are_revoked_at_the_same_time() {
    let stage = Stage::of(service()).await;
    let (mut revoked, mut commands) = (Vec::new(), Vec::new());
    for workspace in 1..=4 {
        let person = stage.caller(&format!("person-{workspace}")).workspace(workspace);
        for index in 0..5 {
            let robot = agent(&stage, &format!("robot-{workspace}-{index}"), workspace).await;
            let path = format!("/v1/agents/{}/revoke", robot.claim_text("grant_id"));
            commands.push(person.post(path).fresh_key().json(json!({})));
            revoked.push(robot);
        }
    }
    for answer in together(commands).await {
        assert_eq!(answer.status, 200, "{answer}");
    }
    let numbers = "SELECT count(*) AS number FROM revocations WHERE number BETWEEN 1 AND 20";
    assert_eq!(samples::number(&stage, numbers).await, 20);
    stage.clock.advance(REVOCATION_DELAY);
    for robot in revoked {
        robot.get("/v1/workspaces").await.refused(401, "invalid_token");
    }
}
