//! Receipts of decisions: what has one, what it says, and that the chain is verified offline.

use std::fs;

use cloud_receipts::{chain, keys::Keys};
use cloud_svc::{base::receipt_key, service};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_model::Secret;
use shared_testing::{Caller, Stage, Text as _};

use crate::{
    commands::cloud,
    samples::{self, apply, plan, step},
};

/// All receipts of a workspace, over as many pages as there are.
async fn all(caller: &Caller, filter: &str) -> Vec<Value> {
    samples::all(caller, &format!("/v1/receipts?limit=2{filter}")).await
}

/// The receipts and the head, as a file for the verification.
async fn file(caller: &Caller) -> Vec<u8> {
    let mut lines: Vec<String> = all(caller, "").await.iter().map(Value::to_string).collect();
    lines.push(caller.get("/v1/receipts/head").await.status(200)["head"].to_string());
    format!("{}\n", lines.join("\n")).into_bytes()
}

async fn keys(stage: &Stage) -> Vec<u8> {
    stage.anyone().get("/v1/receipts/keys").await.status(200).bytes().to_vec()
}

async fn verified(stage: &Stage, caller: &Caller) -> Result<i64, String> {
    let keys = Keys::parse(&keys(stage).await).expect("published keys");
    chain::verify(&*file(caller).await, &keys, &[]).map(|verified| verified.receipts)
}

async fn requested(author: &Caller, file: &str, text: &str) -> Value {
    let plan = plan(author, file, text).await;
    step(author, &plan, "request-review", json!({})).await.status(200);
    plan
}

#[shared_testing::test]
async fn each_decision_has_a_receipt_in_one_chain() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    assert_eq!(verified(&stage, &ada).await, Ok(0), "an empty chain has a head, too");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let receipt = |plan: &Value| format!("/v1/files/{id}/edit-plans/{}/receipt", plan["id"].text());

    let approved = requested(&ada, &id, "two").await;
    assert_eq!(ada.get(receipt(&approved)).await.status(200)["receipts"], json!([]), "nobody has decided");
    step(&bob, &approved, "approve", json!({})).await.status(200);
    apply(&ada, &approved).await.await.status(200);
    let rejected = requested(&ada, &id, "three").await;
    step(&bob, &rejected, "reject", json!({"reason": "A secret reason."})).await.status(200);
    let discarded = plan(&ada, &id, "four").await;
    step(&ada, &discarded, "discard", json!({})).await.status(200);

    let receipts = all(&ada, "").await;
    let said = |member: &str| receipts.iter().map(|one| one["statement"][member].clone()).collect::<Vec<_>>();
    assert_eq!(said("decision"), ["approved", "applied", "rejected", "discarded"]);
    assert_eq!(said("sequence"), [1, 2, 3, 4]);
    assert_eq!(verified(&stage, &ada).await, Ok(4));
    let of_plan = bob.get(receipt(&approved)).await.status(200);
    assert_eq!(of_plan["receipts"].as_array().expect("a list"), &receipts[..2]);
    assert_eq!(all(&ada, &format!("&plan_id={}", rejected["id"].text())).await, receipts[2..3]);
    assert!(!json!(receipts).to_string().contains("secret"), "reasons are no part of it");

    let content = ada.get(format!("/v1/files/{id}/versions")).await.status(200)["items"][0].clone();
    let applied = &receipts[1]["statement"];
    assert_eq!((&applied["result_version_id"], &applied["result_sha256"]), (&content["id"], &content["sha256"]));
    assert_eq!(applied["proposal_sha256"], approved["proposal_sha256"]);
    assert_eq!(applied["approved_by"], json!({"type": "user", "id": "bob"}));
    let mut statement = receipts[0]["statement"].clone();
    for member in ["proposed_at", "decided_at", "base_sha256", "proposal_sha256", "plan_id", "key_id"] {
        assert!(statement[member].is_string(), "{member}");
        statement[member] = json!("…");
    }
    let expected = json!({
        "type": "fourfold.decision-receipt.v1", "workspace_id": "ws_1", "sequence": 1, "previous": null,
        "decision": "approved", "file_id": id, "plan_id": "…", "rebased_from": null,
        "base_version_id": approved["base_version_id"], "base_sha256": "…", "proposal_sha256": "…",
        "result_version_id": null, "result_sha256": null, "author": {"type": "user", "id": "ada"},
        "co_authors": [], "derived_from": null, "proposed_at": "…", "decided_by": {"type": "user", "id": "bob"}, "decided_at": "…", "via": "rest",
        "approved_by": null, "approved_at": null, "confirmed_at": null, "key_id": "…",
    });
    assert_eq!(statement, expected);
    let digest = hex::encode(Sha256::digest(canonical_json::value_text(&receipts[0]["statement"])));
    assert_eq!(receipts[1]["statement"]["previous"], digest);
}

#[shared_testing::test]
async fn refusals_and_repeated_requests_write_no_receipt() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = requested(&ada, &id, "two").await;
    step(&ada, &plan, "approve", json!({})).await.refused(403, "self_approval");
    apply(&ada, &plan).await.await.refused(403, "approval_required");
    let approve = format!("/v1/files/{id}/edit-plans/{}/approve", plan["id"].text());
    for _ in 0..2 {
        bob.post(&approve).header("idempotency-key", "once").json(json!({})).await.status(200);
    }
    assert_eq!(stage.count("receipts"), 1);
    assert_eq!(verified(&stage, &ada).await, Ok(1));
}

#[shared_testing::test]
async fn a_rebase_of_a_reviewed_plan_leaves_a_receipt_of_the_old_plan() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let old = requested(&ada, &id, "two").await;
    step(&bob, &old, "approve", json!({})).await.status(200);
    samples::command(&ada, &id, "rename", json!({"name": "Other"})).await.await.status(200);
    let etag = samples::etag(&ada, &id).await;
    let rebase = step(&ada, &old, "rebase", json!({})).header("if-match", etag);
    let new = rebase.await.status(200)["plan"].clone();
    let receipts = all(&ada, "").await;
    let discarded = &receipts[1]["statement"];
    assert_eq!((&discarded["decision"], &discarded["plan_id"]), (&json!("discarded"), &old["id"]));
    assert_eq!(discarded["approved_by"]["id"], "bob");
    step(&ada, &new, "discard", json!({})).await.status(200);
    assert_eq!(all(&ada, "").await[2]["statement"]["rebased_from"], old["id"]);
    assert_eq!(verified(&stage, &ada).await, Ok(3));
}

#[shared_testing::test]
async fn a_plan_with_many_receipts_shows_the_newest() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    for number in 0..11 {
        step(&ada, &plan(&ada, &id, &number.to_string()).await, "discard", json!({})).await.status(200);
    }
    let applied = plan(&ada, &id, "two").await;
    apply(&ada, &applied).await.await.status(200);
    // As if each of these decisions had been about the plan.
    samples::sql(&stage, &format!("UPDATE receipts SET plan_id = '{}'", applied["id"].text())).await;
    let path = format!("/v1/files/{id}/edit-plans/{}/receipt", applied["id"].text());
    let receipts = ada.get(path).await.status(200)["receipts"].clone();
    assert_eq!(receipts, json!(all(&ada, "").await[2..]));
    assert_eq!(receipts[9]["statement"]["decision"], "applied");
}

#[shared_testing::test]
async fn receipts_outlast_the_plan_and_the_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = plan(&ada, &id, "two").await;
    apply(&ada, &plan).await.await.status(200);
    let before = all(&ada, "").await;
    let path = format!("/v1/files/{id}/edit-plans/{}/receipt", plan["id"].text());
    samples::sql(&stage, "DELETE FROM edit_plans").await;
    assert_eq!(ada.get(&path).await.status(200)["receipts"], json!(before));
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &id, "purge", json!({})).await.await.status(200);
    ada.get(&path).await.refused(404, "not_found");
    assert_eq!(all(&ada, &format!("&file_id={id}")).await, before);
    assert_eq!(verified(&stage, &ada).await, Ok(1));
}

#[shared_testing::test]
async fn each_workspace_has_a_chain_of_its_own() {
    let stage = Stage::of(service()).await;
    let (ada, eve) = (stage.caller("ada"), stage.caller("eve").workspace(2));
    for caller in [&ada, &eve] {
        let id = samples::id(&samples::document_of(caller, &["one"]).await);
        apply(caller, &plan(caller, &id, "two").await).await.await.status(200);
    }
    assert_eq!(verified(&stage, &ada).await, Ok(1));
    assert_eq!(verified(&stage, &eve).await, Ok(1));
    assert_eq!(all(&eve, "").await[0]["statement"]["workspace_id"], "ws_2");
    let file = all(&ada, "").await[0]["statement"]["file_id"].text().to_owned();
    let plan = all(&ada, "").await[0]["statement"]["plan_id"].text().to_owned();
    for filter in [format!("&file_id={file}"), format!("&plan_id={plan}"), format!("&file_id={file}&plan_id={plan}")] {
        assert!(all(&eve, &filter).await.is_empty(), "{filter}");
        assert_eq!(all(&ada, &filter).await.len(), 1, "{filter}");
    }
}

#[shared_testing::test]
async fn parallel_decisions_make_one_chain() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut plans = Vec::new();
    for _ in 0..8 {
        let id = samples::id(&samples::document_of(&ada, &["one"]).await);
        plans.push(plan(&ada, &id, "two").await);
    }
    let discards = plans.iter().map(|plan| step(&ada, plan, "discard", json!({})));
    for answer in futures_util::future::join_all(discards.map(IntoFuture::into_future)).await {
        answer.status(200);
    }
    assert_eq!(verified(&stage, &ada).await, Ok(8));
}

#[shared_testing::test]
async fn a_new_key_signs_on_and_the_old_one_stays_published() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    apply(&ada, &plan(&ada, &id, "two").await).await.await.status(200);
    let published: Value = serde_json::from_slice(&keys(&stage).await).expect("JSON");
    assert_eq!(published["keys"].as_array().map(Vec::len), Some(1));
    assert_eq!(published["keys"][0]["is_current"], true);
    // What a start with another secret or key file does.
    let other = cloud_receipts::signer::Signer::new(receipt_key::derived(&Secret::from_bytes([9; 32])));
    let (at, other_id) = (stage.now(), other.key_id().to_owned());
    let record =
        move |conn: &mut shared_runtime::Conn| Ok(cloud_svc::edits::receipts::store::record_key(conn, &other, at)?);
    stage.context.write(record).await.expect("recorded");
    let published: Value = serde_json::from_slice(&keys(&stage).await).expect("JSON");
    let listed: Vec<_> = published["keys"].as_array().expect("keys").iter().map(|key| &key["key_id"]).collect();
    assert!(listed.len() == 2 && listed.contains(&&json!(other_id)), "{published}");
    assert_eq!(verified(&stage, &ada).await, Ok(1));
}

#[shared_testing::test]
async fn the_command_line_exports_and_verifies() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    for text in ["two", "three"] {
        apply(&ada, &plan(&ada, &id, text).await).await.await.status(200);
    }
    let path = |name: &str| stage.folder().join(name).to_str().expect("UTF-8").to_owned();
    let (file, keys, head) = (path("receipts.jsonl"), path("keys.json"), path("head.json"));
    let exported = cloud(&stage, &["receipts", "export", "--workspace", "ws_1"]);
    fs::write(&file, &exported.stdout).expect("written");
    fs::write(&keys, cloud(&stage, &["receipts", "keys"]).stdout).expect("written");
    fs::write(&head, ada.get("/v1/receipts/head").await.status(200)["head"].to_string()).expect("written");
    let verify = |more: &[&str]| cloud(&stage, &[&["receipts", "verify", &file, "--keys", &keys], more].concat());
    let done = verify(&["--seen", &head]);
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.starts_with("ws_1: all 2 receipts up to "), "{said}");
    let text = String::from_utf8(exported.stdout).expect("UTF-8");
    fs::write(&file, text.replacen("applied", "rejected", 1)).expect("written");
    let done = verify(&[]);
    assert_eq!(done.status.code(), Some(1));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("receipts.jsonl: line 1: the signature does not hold"), "{said}");
    let done = cloud(&stage, &["receipts", "export", "--workspace", "ws_9"]);
    assert_eq!(done.status.code(), Some(1));
    // Otherwise the head would be signed with a key that nobody knows.
    let other = path("other.pem");
    let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n-----END PRIVATE KEY-----\n";
    fs::write(&other, pem).expect("written");
    let done = cloud(&stage, &["receipts", "export", "--workspace", "ws_1", "--receipt-signing-key", &other]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(1) && said.contains("has not published this key"), "{said}");
}

#[test]
fn a_key_file_that_is_malformed_or_weak_stops_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key.pem");
    for text in ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        fs::write(&path, text).expect("written");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cloud-svc"));
        command.arg("migrate").env_clear().current_dir(folder.path()).env("RECEIPT_SIGNING_KEY", &path);
        let done = command.output().expect("the binary starts");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && said.contains("RECEIPT_SIGNING_KEY"), "{said}");
    }
}
