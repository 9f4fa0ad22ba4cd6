//! `POST /v1/documents`.

use cloud_svc::{base::limits::REQUEST_BYTES, service};
use serde_json::{Value, json};
use shared_testing::{Stage, Text, redacted, together};

use crate::samples::{self, with_blocks};

#[shared_testing::test]
async fn a_document_has_a_record_an_etag_and_a_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let response = samples::create(&ada, "Plan").await;
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "file": {
        "created_at": "[timestamp]",
        "current_version_id": "ver_1",
        "etag": "[etag]",
        "human_url": "[base_url]/f/file_1",
        "id": "file_1",
        "name": "Plan",
        "parent_id": null,
        "schema": "service/file/v1",
        "state": "active",
        "type": "document",
        "updated_at": "[timestamp]",
        "workspace_id": "ws_1"
      },
      "request_id": "[req]"
    }
    "#);
    assert_eq!(response.header("etag"), response["file"]["etag"].text());
    assert_eq!(response.header("location"), format!("{}/v1/documents/file_1", stage.base_url()));
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(response["file"]["created_at"].text(), stage.now().to_string());
}

#[shared_testing::test]
async fn names_are_stored_in_form_c_and_may_be_taken_twice() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let first = samples::create(&ada, "Cafe\u{301}").await;
    let second = samples::create(&ada, "Café").await;
    assert_eq!(first["file"]["name"], "Café");
    assert_eq!(second["file"]["name"], "Café");
    assert_ne!(first["file"]["id"], second["file"]["id"]);
}

#[shared_testing::test]
async fn a_document_may_be_created_in_a_folder() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Folder", None).await;
    let response = ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan", "parent_id": folder})).await;
    assert_eq!(response.status(200)["file"]["parent_id"], folder);
}

#[shared_testing::test]
async fn a_parent_must_be_an_active_folder_of_the_workspace() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    samples::create(&ada, "First").await;
    let folder = samples::folder(&ada, "Folder", None).await;
    let body = |parent: &str| json!({"name": "Plan", "parent_id": parent});

    let file = ada.post("/v1/documents").fresh_key().json(body("file_1")).await;
    file.refused(409, "parent_not_folder").problems_at(&["/parent_id"]);
    let missing = bob.post("/v1/documents").fresh_key().json(body("file_99")).await.refused(404, "not_found");
    let foreign = bob.post("/v1/documents").fresh_key().json(body("file_2")).await.refused(404, "not_found");
    assert_eq!(foreign.redacted(), missing.redacted());
    samples::command(&ada, &folder, "trash", json!({})).await.await.status(200);
    let trashed = ada.post("/v1/documents").fresh_key().json(body("file_2")).await;
    trashed.refused(409, "parent_trashed");
    assert_eq!(stage.count("files"), 2);
}

#[shared_testing::test]
async fn each_broken_rule_is_reported_at_its_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let settled = |settings: Value| {
        let mut body = with_blocks(json!([{"type": "quote", "segments": []}]));
        body["content"]["settings"] = settings;
        body
    };
    let cases = [
        (json!({}), vec![""]),
        (json!({"name": ""}), vec!["/name"]),
        (json!({"name": "a/b"}), vec!["/name"]),
        (json!({"name": "a\u{202e}b"}), vec!["/name"]),
        (json!({"name": "é".repeat(96)}), vec!["/name"]),
        (json!({"name": 7, "parent_id": "7", "colour": "red"}), vec!["/name", "/parent_id", "/colour"]),
        (json!({"name": "Plan", "parent_id": null}), vec!["/parent_id"]),
        (json!({"name": "Plan", "content": {}}), vec!["/content", "/content"]),
        (json!({"name": "Plan", "content": null}), vec!["/content"]),
        (with_blocks(json!([])), vec!["/content/blocks"]),
        (with_blocks(json!([{"type": "verse"}])), vec!["/content/blocks/0/type", "/content/blocks/0"]),
        (with_blocks(json!([{"type": "divider", "segments": [{"text": "a"}]}])), vec!["/content/blocks/0/segments"]),
        (with_blocks(json!([{"type": "table", "segments": []}])), vec!["/content/blocks/0"]),
        (
            with_blocks(json!([{"type": "table", "segments": [], "rows": [[[], []], [[]]]}])),
            vec!["/content/blocks/0/rows/1"],
        ),
        (
            with_blocks(
                json!([{"id": "a", "type": "quote", "segments": []}, {"id": "a", "type": "quote", "segments": []}]),
            ),
            vec!["/content/blocks/1/id"],
        ),
        (
            with_blocks(json!([{"type": "quote", "segments": [{"text": "a", "link": "javascript:alert(1)"}]}])),
            vec!["/content/blocks/0/segments/0/link"],
        ),
        (settled(json!({"page": "A4"})), vec!["/content/settings"]),
        (
            settled(json!({"page": "A5", "reading": "aloud"})),
            vec!["/content/settings/page", "/content/settings/reading"],
        ),
    ];
    for (body, places) in cases {
        let response = ada.post("/v1/documents").fresh_key().json(body).await;
        response.refused(422, "invalid_field").problems_at(&places);
    }
    assert_eq!(stage.count("files"), 0);
}

#[shared_testing::test]
async fn the_same_key_twice_creates_one_document() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let request = || ada.post("/v1/documents").key("once").json(json!({"name": "Plan"}));
    let first = request().await.status(200);
    let second = request().await.status(200);
    assert_eq!(first["replayed"], Value::Null);
    assert_eq!(second["replayed"], true);
    assert_eq!(second["file"], first["file"]);
    assert_eq!(second.header("etag"), first.header("etag"));
    assert_eq!(second.header("location"), first.header("location"));
    assert_eq!(stage.count("files"), 1);
}

#[shared_testing::test]
async fn a_key_belongs_to_one_request_of_one_workspace() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    ada.post("/v1/documents").key("once").json(json!({"name": "Plan"})).await.status(200);
    let other = ada.post("/v1/documents").key("once").json(json!({"name": "Other"})).await;
    other.refused(409, "idempotency_key_reused");
    let response = bob.post("/v1/documents").key("once").json(json!({"name": "Other"})).await.status(200);
    assert_eq!(response["file"]["workspace_id"], "ws_2");
}

#[shared_testing::test]
async fn a_refused_create_does_not_burn_its_key() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let request = |name: &str| ada.post("/v1/documents").key("once").json(json!({"name": name}));
    request("a/b").await.refused(422, "invalid_field");
    request("ab").await.status(200);
}

#[shared_testing::test]
async fn a_create_needs_a_key() {
    let stage = Stage::of(service()).await;
    let response = stage.caller("ada").post("/v1/documents").json(json!({"name": "Plan"})).await;
    response.refused(400, "idempotency_key_required");
}

#[shared_testing::test]
async fn parallel_creates_lose_no_change_and_no_byte() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let request = || ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}));
    let responses = together((0..20).map(|_| request())).await;
    assert!(responses.iter().all(|response| response.status == 200), "{}", responses[0]);
    let mut ids: Vec<_> = responses.iter().map(|response| response["file"]["id"].text().to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
    let read = ada.get(samples::path(&responses[0])).await.status(200);
    let bytes = read["content"].to_string().len() * 20;
    let workspaces = ada.get("/v1/workspaces").await.status(200);
    assert_eq!(workspaces["workspaces"][0]["storage_used_bytes"], bytes);
}

#[shared_testing::test]
async fn a_workspace_stores_no_more_than_its_quota() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let old = samples::id(&samples::create(&ada, "Plan").await);
    samples::command(&ada, &old, "trash", json!({})).await.await.status(200);
    samples::sql(&stage, "UPDATE workspaces SET storage_quota_bytes = storage_used_bytes + 1").await;
    let response = ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await;
    let response = response.refused(413, "quota_exceeded");
    insta::assert_json_snapshot!(redacted(&response["error"]), @r#"
    {
      "code": "quota_exceeded",
      "message": "The workspace's storage quota is 84 bytes, 83 of them are used and 0 reserved, and this needs 83 more. Purge files in the trash to free storage.",
      "next_action": {
        "href": "[base_url]/v1/files?state=trashed",
        "type": "refresh"
      },
      "request_id": "[req]",
      "retryable": false
    }
    "#);
    assert_eq!(stage.count("files"), 1);
    let trashed = ada.get(response.leads_to("refresh")).await.status(200)["items"][0]["id"].text().to_owned();
    samples::command(&ada, &trashed, "purge", json!({})).await.await.status(200);
    samples::create(&ada, "Plan").await;
}

#[shared_testing::test]
async fn reading_is_not_writing_but_writing_is_reading() {
    let stage = Stage::of(service()).await;
    let reader = stage.caller("ada").scope("cloud.read");
    let response = reader.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await;
    response.refused(403, "insufficient_scope");
    for scope in ["cloud.read", "cloud.propose", "cloud.write", "cloud.approve"] {
        stage.caller("ada").scope(scope).get("/v1/workspaces").await.status(200);
    }
}

#[shared_testing::test]
async fn the_limit_of_commands_is_that_of_the_service_information() {
    let stage = Stage::of(service()).settings(|settings| settings.rate_limits.0.push(("write".to_owned(), 3))).await;
    let ada = stage.caller("ada");
    let service = ada.get("/v1/service").await.status(200);
    assert_eq!(service["limits"]["writes_per_minute"], 3);
    for _ in 0..3 {
        samples::create(&ada, "Plan").await;
    }
    let response = ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await;
    response.refused(429, "rate_limited");
    ada.get("/v1/workspaces").await.status(200);
}

#[shared_testing::test]
async fn the_ids_that_blocks_get_make_no_content_too_long() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    // Each of the blocks gets an id: "id":"b_3f9c2a71d05e",
    let most = REQUEST_BYTES - 150 * 22;
    let create = |bytes: usize| {
        let body = json!({"name": "Links", "content": samples::links(bytes)});
        ada.post("/v1/documents").fresh_key().json(body)
    };
    let keep = |bytes: usize| {
        let body = json!({"name": "Links", "type": "document", "content": samples::links(bytes)});
        ada.post("/v1/scratch").fresh_key().json(body)
    };
    for request in [create(most + 1), keep(most + 1)] {
        let refused = request.await.refused(422, "invalid_field");
        let message = refused["error"]["message"].text().to_owned();
        let rule = "/content must have at most 2097152 bytes as JSON (request_bytes), has 2097153.";
        assert_eq!(message, rule);
        refused.problems_at(&["/content"]);
    }
    assert_eq!((stage.count("files"), stage.count("drafts")), (0, 0));

    let created = samples::id(&create(most).await.status(200));
    let draft = keep(most).await.status(200)["draft"]["id"].text().to_owned();
    let promoted = ada.post(format!("/v1/scratch/{draft}/promote")).fresh_key().json(json!({})).await.status(200);
    for id in [created, samples::id(&promoted)] {
        let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
        assert_eq!(document["content"].to_string().len(), REQUEST_BYTES);
        let first = &document["content"]["blocks"][0]["id"];
        let edit = json!([{"op": "move_block", "block_id": first, "after_id": document["content"]["blocks"][1]["id"]}]);
        samples::propose(&ada, &id, edit).await.await.status(200);
    }
}
