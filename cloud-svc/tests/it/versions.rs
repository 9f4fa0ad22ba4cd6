//! Versions of a file: listed, read, restored.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};

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

/// The kinds of changes and the changed places between two versions.
async fn compared(caller: &Caller, id: &str, from: &str, to: &str) -> (Value, Vec<(String, String)>) {
    let answer = caller.get(format!("/v1/files/{id}/versions/{from}/compare?with={to}")).await.status(200);
    assert_eq!((&answer["from"]["id"], &answer["to"]["id"]), (&json!(from), &json!(to)));
    assert_eq!(answer["content_is_untrusted"], true);
    let place = |change: &Value| {
        let named = ["block_id", "cell", "page_id", "slide_id", "element_id", "member"];
        named.iter().filter_map(|name| change[name].as_str()).collect::<Vec<_>>().join("/")
    };
    let changes = answer["changes"].as_array().expect("changes").iter();
    let places = changes.map(|change| (change["kind"].text().to_owned(), place(change))).collect();
    (answer.json().clone(), places)
}

async fn edited(caller: &Caller, id: &str, operations: Value) {
    let plan = samples::propose(caller, id, operations).await.await.status(200)["plan"].clone();
    samples::apply(caller, &plan).await.await.status(200);
}

fn place(kind: &str, place: &str) -> (String, String) {
    (kind.to_owned(), place.to_owned())
}

#[shared_testing::test]
async fn two_versions_of_a_document_are_compared_in_both_directions() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["zero", "one", "two", "three"]).await);
    let block = |text: &str| json!({"type": "paragraph", "segments": [{"text": text}]});
    let inserted = json!({"id": "new", "type": "divider", "segments": []});
    edited(
        &ada,
        &id,
        json!([
            {"op": "replace_block", "block_id": "b1", "block": block("ONE")},
            {"op": "delete_block", "block_id": "b0"},
            {"op": "insert_block", "block": inserted, "after_id": "b1"},
            {"op": "move_block", "block_id": "b3", "after_id": null},
        ]),
    )
    .await;
    let (answer, changes) = compared(&ada, &id, "ver_1", "ver_2").await;
    assert_eq!(changes, [place("delete", "b0"), place("move", "b3"), place("insert", "new"), place("replace", "b1")]);
    let summary = &answer["summary"];
    let counts = ["inserted", "replaced", "deleted", "moved"].map(|name| summary[name].as_i64());
    assert_eq!(counts, [Some(1); 4]);
    assert_eq!(answer["changes"][3]["before"]["segments"][0]["text"], "one");
    assert_eq!(answer["changes"][2]["after_id"], "b1");
    assert_eq!(
        (summary["bytes_before"].clone(), summary["bytes_after"].clone()),
        (answer["from"]["bytes"].clone(), answer["to"]["bytes"].clone())
    );
    let (_, back) = compared(&ada, &id, "ver_2", "ver_1").await;
    assert_eq!(back, [place("delete", "new"), place("insert", "b0"), place("move", "b3"), place("replace", "b1")]);
    assert!(compared(&ada, &id, "ver_1", "ver_1").await.1.is_empty());
    ada.get(format!("/v1/files/{id}/versions/ver_1/compare")).await.status(400);
    ada.get(format!("/v1/files/{id}/versions/ver_1/compare?with=1")).await.refused(422, "invalid_field");
    samples::create(&ada, "Another").await;
    for (from, to, wrong) in [
        ("ver_1", "ver_9", &["with"][..]),
        ("ver_1", "ver_3", &["with"]),
        ("ver_9", "ver_1", &["file_id", "version_id"]),
    ] {
        let path = format!("/v1/files/{id}/versions/{from}/compare?with={to}");
        ada.get(path).await.refused(404, "not_found").problems_at(wrong);
    }
}

#[shared_testing::test]
async fn versions_of_every_kind_of_content_are_compared() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let element = json!({"id": "e1", "type": "text", "x": 1, "y": 1, "w": 10, "h": 10, "rotation": 0, "text": "Hi",
        "fill": "#ffffff", "color": "#000000", "fontSize": 12, "align": "left", "weight": 400});
    let page = json!({"id": "p2", "name": "P", "size": "a4", "orientation": "portrait", "background": "#ffffff", "elements": [element]});
    let slide = json!({"id": "s2", "name": "S", "background": "#ffffff", "elements": [], "notes": ""});
    for (collection, operations, expected) in [
        (
            "notes",
            json!([{"op": "append_text", "text": "More."}, {"op": "set_flags", "pinned": true}]),
            vec![place("replace", "content"), place("replace", "pinned")],
        ),
        (
            "spreadsheets",
            json!([{"op": "set_cells", "sheet": "Sheet1", "range": "A1:B1", "values": [["x", "y"]]}]),
            vec![place("replace", "A1"), place("insert", "B1")],
        ),
        ("publications", json!([{"op": "insert_page", "page": page}]), vec![place("insert", "p2")]),
        ("presentations", json!([{"op": "insert_slide", "slide": slide}]), vec![place("insert", "s2")]),
    ] {
        let created = ada.post(format!("/v1/{collection}")).fresh_key().json(json!({"name": "N"})).await.status(200);
        let (id, first) = (samples::id(&created), created["file"]["current_version_id"].text().to_owned());
        edited(&ada, &id, operations).await;
        let second = samples::record(&ada, &id).await["file"]["current_version_id"].text().to_owned();
        assert_eq!(compared(&ada, &id, &first, &second).await.1, expected, "{collection}");
    }
    let uploaded = crate::uploads::uploaded(&ada, b"x").await;
    let (id, version) = (samples::id(&uploaded), uploaded["file"]["current_version_id"].text());
    let path = format!("/v1/files/{id}/versions/{version}/compare?with={version}");
    let refused = ada.get(path).await.refused(404, "not_found");
    assert!(refused["error"]["message"].text().contains("uploaded_file"), "{refused}");
    assert_eq!(ada.get(refused.leads_to("refresh")).await.status(200)["file"]["id"], id);
}

#[shared_testing::test]
async fn a_comparison_is_not_longer_than_an_answer_may_be() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = |text: &str| json!({"kind": "sheets", "sheets": [{"name": "S", "cells": vec![vec![text; 60]; 600]}]});
    let created =
        ada.post("/v1/spreadsheets").fresh_key().json(json!({"name": "B", "content": content("a")})).await.status(200);
    let id = samples::id(&created);
    let draft = json!({"name": "B", "type": "spreadsheet", "content": content("b")});
    let draft = ada.post("/v1/scratch").fresh_key().json(draft).await.status(200);
    let path = format!("/v1/scratch/{}/promote", draft["draft"]["id"].text());
    let etag = samples::etag(&ada, &id).await;
    ada.post(path).fresh_key().header("if-match", etag).json(json!({"file_id": id})).await.status(200);
    let path = format!("/v1/files/{id}/versions/ver_1/compare?with=ver_2");
    ada.get(path).await.refused(413, "response_too_large");
}

#[shared_testing::test]
async fn content_that_an_earlier_release_let_be_too_long_is_read_shortened_and_purged() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Links").await);
    let mut content = samples::links(2_200_000);
    let blocks = content["blocks"].as_array_mut().expect("blocks");
    blocks.iter_mut().enumerate().for_each(|(index, block)| block["id"] = json!(format!("b{index}")));
    let (text, sha256) = (content.to_string(), crate::uploads::sha256(content.to_string().as_bytes()));
    samples::sql(&stage, &format!("UPDATE versions SET content = '{text}', sha256 = '{sha256}'")).await;
    assert_eq!(ada.get(format!("/v1/documents/{id}")).await.status(200)["content"], content);

    let longer = json!([{"op": "insert_block", "block": {"type": "divider", "segments": []}}]);
    let refused = samples::propose(&ada, &id, longer).await.await.refused(422, "invalid_field");
    refused.problems_at(&["/operations"]);
    let shorter: Vec<_> = (0..10).map(|index| json!({"op": "delete_block", "block_id": format!("b{index}")})).collect();
    let plan = samples::propose(&ada, &id, json!(shorter)).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &plan).await.await.status(200);
    // An undo brings back what was there.
    samples::command(&ada, &id, "versions/ver_1/restore", json!({})).await.await.status(200);
    assert_eq!(ada.get(format!("/v1/documents/{id}")).await.status(200)["content"], content);
    for verb in ["trash", "purge"] {
        samples::command(&ada, &id, verb, json!({})).await.await.status(200);
    }
}
