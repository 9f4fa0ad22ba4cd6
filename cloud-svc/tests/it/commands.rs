//! `cloud-svc` at the command line, beside a service that runs on the same database.

use std::process::{Command, Output, Stdio};

use cloud_svc::service;
use serde_json::Value;
use shared_testing::Stage;

use crate::samples;

/// Runs the program on the stage's database.
pub fn cloud(stage: &Stage, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cloud-svc"))
        .args(arguments)
        .env_clear()
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET)
        .current_dir(stage.folder())
        .stdin(Stdio::null())
        .output()
        .expect("the command runs")
}

#[shared_testing::test]
async fn grants_are_listed_shown_and_revoked() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    for caller in [&ada, &bob] {
        caller.get("/v1/workspaces").await.status(200);
    }
    let (ada_s, bob_s) = (ada.claim_text("grant_id"), bob.claim_text("grant_id"));
    let ids = |more: &[&str]| -> Vec<String> {
        let listed = printed(&cloud(&stage, &[&["grant", "list"], more].concat()));
        listed.iter().map(|grant| grant["grant_id"].as_str().expect("an id").to_owned()).collect()
    };
    let mut all = vec![ada_s.clone(), bob_s.clone()];
    all.sort();
    assert_eq!(ids(&[]), all);
    assert_eq!(ids(&["--workspace", "ws_2"]), std::slice::from_ref(&bob_s));
    assert_eq!(ids(&["--sub", &ada.claim_text("sub"), "--active"]), std::slice::from_ref(&ada_s));
    assert!(ids(&["--sub", "nobody"]).is_empty());
    let shown = printed(&cloud(&stage, &["grant", "show", &ada_s]));
    assert_eq!((&shown[0]["workspace_id"], &shown[0]["is_active"]), (&Value::from("ws_1"), &Value::from(true)));

    let unknown = cloud(&stage, &["grant", "revoke", "typo"]);
    let said = String::from_utf8_lossy(&unknown.stderr);
    assert!(unknown.status.code() == Some(1) && said.contains("--force"), "{said}");
    assert_eq!(cloud(&stage, &["grant", "show", "typo"]).status.code(), Some(1), "it was not revoked");
    assert!(cloud(&stage, &["grant", "revoke", "typo", "--force"]).status.success());
    assert_eq!(printed(&cloud(&stage, &["grant", "show", "typo"]))[0]["subject"], Value::Null);
    for said in ["revoked", "was revoked before"] {
        let output = cloud(&stage, &["grant", "revoke", &ada_s]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{ada_s}: {said}\n"));
    }
    assert_eq!(ids(&["--active"]), [bob_s]);
    assert_eq!(ids(&[]).len(), 2, "a revoked grant is still listed");
}

/// The JSON objects that a command printed, one per line.
pub fn printed(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout);
    lines.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

#[shared_testing::test]
async fn an_operator_lists_workspaces_and_sets_what_they_may_do() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::create(&ada, "Plan").await;
    samples::create(&stage.caller("bob").workspace(2), "Plan").await;
    let listed = printed(&cloud(&stage, &["workspace", "list"]));
    assert_eq!(listed.iter().map(|workspace| &workspace["id"]).collect::<Vec<_>>(), ["ws_1", "ws_2"]);
    let set = printed(&cloud(&stage, &["workspace", "set-policy", "ws_1", "--agent-writes", "review"]));
    assert_eq!((&set[0]["id"], &set[0]["agent_writes"]), (&Value::from("ws_1"), &Value::from("review")));
    let set = printed(&cloud(&stage, &["workspace", "set-policy", "ws_1", "--agents-may-review", "true"]));
    assert_eq!((&set[0]["agents_may_review"], &set[0]["agent_writes"]), (&Value::from(true), &Value::from("review")));
    assert_eq!(cloud(&stage, &["workspace", "set-policy", "ws_1"]).status.code(), Some(2), "no policy");
    let set = printed(&cloud(&stage, &["workspace", "set-quota", "ws_1", "0"]));
    assert_eq!(set[0]["storage_quota_bytes"], 0);
    let full = ada.post("/v1/documents").fresh_key().json(serde_json::json!({"name": "Plan"})).await;
    full.refused(413, "quota_exceeded");
    samples::folder(&ada, "A folder takes no storage", None).await;
    let missing = cloud(&stage, &["workspace", "set-quota", "ws_9", "1"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("ws_9"));
    assert_eq!(cloud(&stage, &["workspace", "set-quota", "ws_1", "-1"]).status.code(), Some(2));
}
