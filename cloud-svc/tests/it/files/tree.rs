//! Rename, move, copy, trash and restore: no cycles, and a folder in the trash hides its files.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text, together};

use crate::samples::{self, command, document_in, etag, folder};

#[shared_testing::test]
async fn a_rename_is_for_the_state_that_was_seen() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let seen = etag(&ada, &id).await;
    let rename = |name: &str| ada.post(format!("/v1/files/{id}/rename")).fresh_key().json(json!({"name": name}));
    rename("B").await.refused(428, "if_match_required");
    rename("B").header("if-match", "*").await.refused(400, "invalid_request");
    let renamed = rename("B").header("if-match", seen.clone()).await.status(200);
    assert_eq!(renamed["file"]["name"], "B");
    assert_ne!(renamed["file"]["etag"], seen.as_str());
    assert_eq!(renamed.header("etag"), renamed["file"]["etag"].text());

    let stale = rename("C").header("if-match", seen.clone()).await.refused(412, "etag_mismatch");
    assert!(stale["error"]["message"].text().contains("file.renamed"), "{stale}");
    assert_eq!(stale["error"]["next_action"]["etag"], renamed["file"]["etag"]);
    let weak = rename("C").header("if-match", format!("W/{}", renamed["file"]["etag"].text())).await;
    let weak = weak.refused(412, "etag_mismatch");
    assert!(weak["error"]["message"].text().contains("weak"), "{weak}");
}

#[shared_testing::test]
async fn the_retry_of_a_rename_replays_though_the_tag_is_old() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let seen = etag(&ada, &id).await;
    let rename = || {
        let request = ada.post(format!("/v1/files/{id}/rename")).key("k").header("if-match", seen.clone());
        request.json(json!({"name": "B"}))
    };
    let first = rename().await.status(200);
    let second = rename().await.status(200);
    assert_eq!((&second["replayed"], &second["file"]), (&json!(true), &first["file"]));
}

#[shared_testing::test]
async fn a_refused_rename_does_not_burn_its_key() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let rename = |tag: String| {
        ada.post(format!("/v1/files/{id}/rename")).key("k").header("if-match", tag).json(json!({"name": "B"}))
    };
    let stale = rename(format!("\"{}\"", "0".repeat(64))).await.refused(412, "etag_mismatch");
    rename(stale["error"]["next_action"]["etag"].text().to_owned()).await.status(200);
}

#[shared_testing::test]
async fn a_name_may_be_asked_to_be_new() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    document_in(&ada, "Straße", &top).await;
    let other = document_in(&ada, "B", &top).await;
    let body = json!({"name": "STRASSE", "parent_id": top});
    let only_if_new = |path: &str| ada.post(path).fresh_key().header("if-none-match", "*");
    only_if_new("/v1/documents").json(body.clone()).await.refused(412, "name_exists").problems_at(&["/name"]);
    only_if_new("/v1/folders").json(body).await.refused(412, "name_exists");
    let rename = command(&ada, &other, "rename", json!({"name": "strasse"})).await.header("if-none-match", "*");
    rename.await.refused(412, "name_exists");
    let same = command(&ada, &other, "rename", json!({"name": "b"})).await.header("if-none-match", "*");
    same.await.status(200);
    let elsewhere = samples::id(&samples::create(&ada, "Strasse").await);
    let into = command(&ada, &elsewhere, "move", json!({"parent_id": top})).await.header("if-none-match", "*");
    into.await.refused(412, "name_exists");
    let wrong = command(&ada, &other, "rename", json!({"name": "C"})).await.header("if-none-match", "\"a\"");
    wrong.await.refused(400, "invalid_request");
}

#[shared_testing::test]
async fn a_folder_cannot_be_moved_into_itself() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let a = folder(&ada, "A", None).await;
    let b = folder(&ada, "B", Some(&a)).await;
    let c = folder(&ada, "C", Some(&b)).await;
    for into in [&a, &b, &c] {
        let moved = command(&ada, &a, "move", json!({"parent_id": into})).await.await;
        moved.refused(409, "parent_cycle").problems_at(&["/parent_id"]);
    }
    command(&ada, &c, "move", json!({"parent_id": null})).await.await.status(200);
    let moved = command(&ada, &a, "move", json!({"parent_id": c})).await.await.status(200);
    assert_eq!(moved["file"]["parent_id"], c);
    command(&ada, &a, "move", json!({})).await.await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn two_folders_that_are_moved_into_one_another_make_no_cycle() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for round in 0..5 {
        let (a, b) = (folder(&ada, "A", None).await, folder(&ada, "B", None).await);
        let there = command(&ada, &a, "move", json!({"parent_id": b})).await;
        let back = command(&ada, &b, "move", json!({"parent_id": a})).await;
        let mut statuses: Vec<_> = together([there, back]).await.iter().map(|response| response.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}");
    }
}

#[shared_testing::test]
async fn folders_are_at_most_32_deep() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut deepest = folder(&ada, "1", None).await;
    for depth in 2..=32 {
        deepest = folder(&ada, &depth.to_string(), Some(&deepest)).await;
    }
    document_in(&ada, "Plan", &deepest).await;
    let one_more = ada.post("/v1/folders").fresh_key().json(json!({"name": "33", "parent_id": deepest})).await;
    one_more.refused(422, "invalid_field").problems_at(&["/parent_id"]);
    let other = folder(&ada, "Other", None).await;
    let within = folder(&ada, "Within", Some(&other)).await;
    let moved = command(&ada, &other, "move", json!({"parent_id": deepest})).await.await;
    moved.refused(422, "invalid_field").problems_at(&["/parent_id"]);
    command(&ada, &within, "trash", json!({})).await.await.status(200);
    // Folders in the trash count, too, because they may be restored.
    let moved = command(&ada, &other, "move", json!({"parent_id": deepest})).await.await;
    moved.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn a_folder_in_the_trash_hides_what_is_in_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let inner = folder(&ada, "Inner", Some(&top)).await;
    let document = document_in(&ada, "Plan", &inner).await;
    let seen = etag(&ada, &document).await;
    command(&ada, &top, "trash", json!({})).await.await.status(200);

    assert_eq!(samples::record(&ada, &top).await["file"]["state"], "trashed");
    for path in ["files", "documents"] {
        ada.get(format!("/v1/{path}/{document}")).await.refused(404, "not_found");
    }
    ada.get(format!("/v1/files/{document}/versions")).await.refused(404, "not_found");
    ada.get(format!("/v1/files?parent_id={inner}")).await.refused(404, "not_found");
    let rename = ada.post(format!("/v1/files/{document}/rename")).fresh_key().header("if-match", seen.clone());
    rename.json(json!({"name": "B"})).await.refused(404, "not_found");
    for (parent, code) in [(&top, "parent_trashed"), (&inner, "not_found")] {
        let create = ada.post("/v1/documents").fresh_key().json(json!({"name": "B", "parent_id": parent})).await;
        assert_eq!(create["error"]["code"], code);
    }
    assert_eq!(ada.get("/v1/search?name_contains=plan").await.status(200)["items"], json!([]));

    command(&ada, &top, "restore", json!({})).await.await.status(200);
    assert_eq!(etag(&ada, &document).await, seen, "what is inside was not written to");
    assert_eq!(ada.get("/v1/search?name_contains=plan").await.status(200)["items"][0]["id"], document);
}

#[shared_testing::test]
async fn a_trashed_file_can_be_read_and_not_changed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    command(&ada, &id, "restore", json!({})).await.await.refused(409, "file_not_trashed");
    command(&ada, &id, "purge", json!({})).await.await.refused(409, "file_not_trashed");
    command(&ada, &id, "trash", json!({})).await.await.status(200);
    for (verb, body) in [
        ("rename", json!({"name": "B"})),
        ("move", json!({"parent_id": null})),
        ("copy", json!({})),
        ("trash", json!({})),
        ("comments", json!({"text": "Is that so?"})),
        ("edit-plans", json!({"operations": [{"op": "delete_block", "block_id": "a"}]})),
    ] {
        let response = command(&ada, &id, verb, body).await.await.refused(409, "file_trashed");
        assert_eq!(response["error"]["next_action"]["type"], "refresh");
    }
}

#[shared_testing::test]
async fn a_file_returns_to_its_folder_wherever_that_is() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (home, other) = (folder(&ada, "Home", None).await, folder(&ada, "Other", None).await);
    let file = document_in(&ada, "Plan", &home).await;
    let trash = async |id: &str| command(&ada, id, "trash", json!({})).await.await.status(200);
    let restore = async |body: Value| command(&ada, &file, "restore", body).await.await;

    trash(&file).await;
    command(&ada, &home, "rename", json!({"name": "New home"})).await.await.status(200);
    command(&ada, &home, "move", json!({"parent_id": other})).await.await.status(200);
    assert_eq!(restore(json!({})).await.status(200)["file"]["parent_id"], home);

    trash(&file).await;
    trash(&home).await;
    let refused = restore(json!({})).await.refused(409, "parent_trashed");
    assert_eq!(refused["error"]["next_action"]["href"], format!("{}/v1/files/{home}", stage.base_url()));
    assert_eq!(restore(json!({"parent_id": other})).await.status(200)["file"]["parent_id"], other);

    command(&ada, &home, "restore", json!({})).await.await.status(200);
    command(&ada, &file, "move", json!({"parent_id": home})).await.await.status(200);
    trash(&file).await;
    trash(&home).await;
    command(&ada, &home, "purge", json!({})).await.await.status(200);
    assert_eq!(restore(json!({})).await.status(200)["file"]["parent_id"], Value::Null);
}

#[shared_testing::test]
async fn a_copy_has_the_same_content_and_a_life_of_its_own() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let created = samples::document_of(&ada, &["one", "two"]).await;
    let id = samples::id(&created);
    samples::comment(&ada, &id, "Is that so?").await;
    let copied = command(&ada, &id, "copy", json!({"name": "Copy", "parent_id": top})).await.await.status(200);
    let copy = samples::id(&copied);
    assert_eq!((&copied["file"]["name"], &copied["file"]["parent_id"]), (&json!("Copy"), &json!(top)));
    let read = async |id: &str| ada.get(format!("/v1/documents/{id}")).await.status(200)["content"].clone();
    assert_eq!(read(&id).await, read(&copy).await);
    assert_eq!(ada.get(format!("/v1/files/{copy}/comments")).await.status(200)["items"], json!([]));
    samples::apply(&ada, &samples::plan(&ada, &id, "three").await).await.await.status(200);
    assert_ne!(read(&id).await, read(&copy).await);
    let refused = command(&ada, &top, "copy", json!({})).await.await;
    refused.refused(422, "invalid_field").problems_at(&["file_id"]);
}

#[shared_testing::test]
async fn every_change_has_a_number_and_a_row() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    for (verb, body) in [("rename", json!({"name": "B"})), ("trash", json!({})), ("restore", json!({}))] {
        command(&ada, &id, verb, body).await.await.status(200);
    }
    command(&ada, &id, "rename", json!({"name": ""})).await.await.refused(422, "invalid_field");
    let workspace = ada.get("/v1/workspaces").await.status(200);
    assert_eq!(workspace["workspaces"][0]["change_sequence"], 4);
    assert_eq!(stage.count("changes"), 4);
}

#[shared_testing::test]
async fn an_unknown_flag_is_refused_and_nothing_happens() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let trash = async |query: &str| samples::command(&ada, &id, &format!("trash{query}"), json!({})).await.await;
    trash("?dry_run=true").await.refused(400, "invalid_request").problems_at(&["dry_run"]);
    trash("?=").await.refused(400, "invalid_request");
    assert_eq!(samples::record(&ada, &id).await["file"]["state"], "active");
    ada.get(format!("/v1/files/{id}?version_id=ver_1")).await.refused(400, "invalid_request");
    trash("?").await.status(200);
}

#[shared_testing::test]
async fn a_file_of_a_trashed_folder_can_be_restored_to_the_top() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Top", None).await;
    let id = samples::document_in(&ada, "Plan", &folder).await;
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &folder, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &id, "restore", json!({})).await.await.refused(409, "parent_trashed");
    let restored = samples::command(&ada, &id, "restore", json!({"parent_id": null})).await.await.status(200);
    assert_eq!(restored["file"]["parent_id"], serde_json::Value::Null);
}
