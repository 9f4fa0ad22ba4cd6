//! Versions of a file: listed, read, restored.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text};

use crate::samples;

#[shared_testing::test]
async fn each_version_is_kept_with_its_origin() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    samples::apply(&ada, &plan).await.await.status(200);
    samples::command(&ada, &id, "versions/ver_1/restore", json!({})).await.await.status(200);

    let list = ada.get(format!("/v1/files/{id}/versions")).await.status(200);
    let items = list["items"].as_array().expect("items");
    let reported: Vec<_> =
        items.iter().map(|item| (item["id"].text(), item["plan_id"].clone(), item["restored_from"].clone())).collect();
    assert_eq!(
        reported,
        [
            ("ver_3", Value::Null, json!("ver_1")),
            ("ver_2", plan["id"].clone(), Value::Null),
            ("ver_1", Value::Null, Value::Null)
        ]
    );
    assert_eq!(items[0]["sha256"], items[2]["sha256"]);
    assert_eq!((items[0]["via"].text(), items[0]["actor"]["id"].text()), ("rest", "ada"));

    let version = async |version: &str| ada.get(format!("/v1/files/{id}/versions/{version}")).await.status(200);
    assert_eq!(version("ver_1").await["content"]["blocks"].as_array().map(Vec::len), Some(1));
    assert_eq!(version("ver_2").await["content"]["blocks"].as_array().map(Vec::len), Some(2));
    let current = ada.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!(current["content"], version("ver_1").await["content"]);
    assert_eq!(current["file"]["current_version_id"], "ver_3");
}

#[shared_testing::test]
async fn an_undo_restores_the_content_under_a_new_etag() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = samples::document_of(&ada, &["one"]).await;
    let id = samples::id(&created);
    let before = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let plan = samples::plan(&ada, &id, "two").await;
    let undo = samples::apply(&ada, &plan).await.await.status(200)["undo"].clone();
    let request = ada.request(undo["method"].text(), undo["url"].text()).fresh_key();
    let undone = request.header("if-match", undo["if_match"].text()).json(json!({})).await.status(200);
    let after = ada.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!(after["content"], before["content"]);
    assert_ne!(after["file"]["etag"], before["file"]["etag"]);
    assert_eq!(after["file"]["etag"], undone["file"]["etag"]);
}

#[shared_testing::test]
async fn a_version_of_another_file_is_not_found() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let one = samples::id(&samples::create(&ada, "One").await);
    samples::create(&ada, "Two").await;
    ada.get(format!("/v1/files/{one}/versions/ver_2")).await.refused(404, "not_found");
    let restore = samples::command(&ada, &one, "versions/ver_2/restore", json!({})).await.await;
    restore.refused(404, "not_found");
}

#[shared_testing::test]
async fn the_id_of_a_deleted_block_is_not_reused() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let delete = json!([{"op": "delete_block", "block_id": "b1"}]);
    let plan = samples::propose(&ada, &id, delete).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &plan).await.await.status(200);
    let block = json!({"id": "b1", "type": "paragraph", "segments": []});
    let insert = json!([{"op": "insert_block", "block": block}]);
    let again = samples::propose(&ada, &id, insert.clone()).await.await.refused(422, "invalid_field");
    again.problems_at(&["/operations/0/block/id"]);
    samples::command(&ada, &id, "versions/ver_1/restore", json!({})).await.await.status(200);
    let there = samples::propose(&ada, &id, insert).await.await.refused(422, "invalid_field");
    there.problems_at(&["/operations/0/block/id"]);
}
