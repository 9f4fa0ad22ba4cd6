//! `GET /v1/files/{file_id}/details`, and `include=details` of lists.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::{samples, uploads};

async fn details(caller: &Caller, id: &str) -> Value {
    let answer = caller.get(format!("/v1/files/{id}/details")).await.status(200);
    assert_eq!(answer["file"]["id"], id);
    answer["details"].clone()
}

#[shared_testing::test]
async fn details_say_what_the_record_does_not() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let outer = samples::folder(&ada, "Outer", None).await;
    let inner = samples::folder(&ada, "Inner", Some(&outer)).await;
    let note = json!({"name": "N", "parent_id": inner, "content": {"title": "T", "content": "", "tags": ["red \"one\"", "blau"]}});
    let note = samples::id(&ada.post("/v1/notes").fresh_key().json(note).await.status(200));
    let append = json!([{"op": "append_text", "text": "More."}]);
    let plan = samples::propose(&bob, &note, append).await.await.status(200)["plan"].clone();
    samples::apply(&bob, &plan).await.await.status(200);
    let again = json!([{"op": "append_text", "text": "Even more."}]);
    let open = samples::propose(&bob, &note, again).await.await.status(200)["plan"].clone();
    samples::comment(&bob, &note, "One?").await;
    let resolved = samples::comment(&bob, &note, "Two?").await;
    samples::on_comment(&bob, &resolved, "resolve", json!({})).await.status(200);

    let expected = details(&ada, &note).await;
    assert_eq!(expected["path"], json!([{"id": outer, "name": "Outer"}, {"id": inner, "name": "Inner"}]));
    assert_eq!((expected["created_by"]["id"].text(), expected["updated_by"]["id"].text()), ("ada", "bob"));
    assert_eq!((&expected["open_comments"], &expected["open_plans"]), (&json!(1), &json!(1)));
    assert_eq!((&expected["tags"], &expected["mime"]), (&json!(["red \"one\"", "blau"]), &json!("application/json")));
    let versions = ada.get(format!("/v1/files/{note}/versions")).await.status(200);
    assert_eq!(expected["bytes"], versions["items"][0]["bytes"]);
    samples::step(&bob, &open, "discard", json!({})).await.status(200);
    assert_eq!(details(&ada, &note).await["open_plans"], 0);

    let of_folder = details(&ada, &inner).await;
    let nothing = ["bytes", "mime", "created_by", "updated_by"].map(|name| of_folder[name].is_null());
    assert_eq!((nothing, &of_folder["path"][0]["id"]), ([true; 4], &json!(outer)));
    let uploaded = samples::id(&uploads::uploaded(&ada, b"%PDF-1.7").await);
    let of_upload = details(&ada, &uploaded).await;
    assert_eq!(
        (&of_upload["bytes"], &of_upload["mime"], &of_upload["path"]),
        (&json!(8), &json!("application/pdf"), &json!([]))
    );
    stage.caller("zoe").workspace(2).get(format!("/v1/files/{note}/details")).await.refused(404, "not_found");

    for list in [format!("/v1/files?parent_id={inner}"), "/v1/search?name_contains=n&type=note".to_owned()] {
        let plain = ada.get(&list).await.status(200);
        assert_eq!(plain["details"], Value::Null);
        let full = ada.get(format!("{list}&include=details")).await.status(200);
        assert_eq!(full["details"], json!({&note: details(&ada, &note).await}), "{list}");
    }
    let all = ada.get("/v1/files?include=details").await.status(200);
    for file in all["items"].as_array().expect("items") {
        let id = file["id"].text();
        assert_eq!(all["details"][id], details(&ada, id).await, "{id}");
    }
    ada.get("/v1/files?include=content").await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn the_path_ends_at_a_folder_in_the_trash() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let outer = samples::folder(&ada, "Outer", None).await;
    let inner = samples::folder(&ada, "Inner", Some(&outer)).await;
    let file = samples::document_in(&ada, "File", &inner).await;
    // Trashed on its own, so that it can be seen although its folders are in the trash.
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &outer, "trash", json!({})).await.await.status(200);
    assert_eq!(details(&ada, &file).await["path"], json!([{"id": outer, "name": "Outer"}]));
}
