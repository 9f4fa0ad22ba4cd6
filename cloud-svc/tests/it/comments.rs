//! Comments: written, changed and resolved by their authors. The file does not change.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text};

use crate::samples::{self, comment, on_comment};

#[shared_testing::test]
async fn a_comment_is_resolved_by_its_author_and_the_file_is_not_changed() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let seen = samples::etag(&ada, &id).await;
    let written = comment(&ada, &id, "Is that so?").await;
    on_comment(&bob, &written, "resolve", json!({})).await.refused(403, "not_comment_author");
    let resolved = on_comment(&ada, &written, "resolve", json!({})).await.status(200);
    insta::assert_json_snapshot!(resolved.redacted(), @r#"
    {
      "comment": {
        "actor": {
          "display_name": "ada",
          "id": "ada",
          "type": "user"
        },
        "anchor": {},
        "created_at": "[timestamp]",
        "etag": "[etag]",
        "file_id": "file_1",
        "id": "cmt_1",
        "resolved_at": "[timestamp]",
        "status": "resolved",
        "text": "Is that so?",
        "updated_at": "[timestamp]"
      },
      "content_is_untrusted": true,
      "parent_comment_id": null,
      "request_id": "[req]"
    }
    "#);
    on_comment(&ada, &written, "resolve", json!({})).await.refused(412, "etag_mismatch");
    stage.clock.advance(std::time::Duration::from_secs(60));
    let again = on_comment(&ada, &resolved["comment"], "resolve", json!({})).await.status(200);
    assert_eq!(again["comment"], resolved["comment"], "nothing changes");
    let reopened = on_comment(&ada, &resolved["comment"], "reopen", json!({})).await.status(200);
    assert_eq!((&reopened["comment"]["status"], &reopened["comment"]["resolved_at"]), (&json!("open"), &Value::Null));
    let edited = on_comment(&ada, &reopened["comment"], "edit", json!({"text": "Really?"})).await.status(200);
    assert_eq!(edited["comment"]["text"], "Really?");
    on_comment(&ada, &edited["comment"], "delete", json!({})).await.status(200);
    on_comment(&ada, &edited["comment"], "delete", json!({})).await.refused(404, "not_found");
    assert_eq!(samples::etag(&ada, &id).await, seen);
    assert_eq!(stage.count("changes"), 6, "the file, and five of the comment");
}

#[shared_testing::test]
async fn a_comment_needs_an_existing_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let with = |anchor: Value| {
        let request = ada.post(format!("/v1/files/{id}/comments")).fresh_key();
        request.json(json!({"text": "Is that so?", "anchor": anchor}))
    };
    with(json!({"block_id": "b0"})).await.status(200);
    with(json!({})).await.status(200);
    for anchor in [json!({"block_id": "b9"}), json!({"slide_id": "b0"}), json!({"range": "Sheet!A1"})] {
        with(anchor).await.refused(422, "anchor_not_found").problems_at(&["/anchor"]);
    }
    with(json!({"block_id": "b0", "slide_id": "b0"})).await.refused(422, "invalid_field").problems_at(&["/anchor"]);
    with(json!({"place": "b0"})).await.refused(422, "invalid_field").problems_at(&["/anchor/place"]);
}

#[shared_testing::test]
async fn comments_are_listed_newest_first_by_their_status() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let first = comment(&ada, &id, "First").await;
    comment(&ada, &id, "Second").await;
    on_comment(&ada, &first, "resolve", json!({})).await.status(200);
    let texts = async |query: &str| {
        let list = ada.get(format!("/v1/files/{id}/comments?{query}")).await.status(200);
        let items = list["items"].as_array().expect("items");
        items.iter().map(|item| item["text"].text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts("").await, ["Second", "First"]);
    assert_eq!(texts("status=open").await, ["Second"]);
    assert_eq!(texts("status=resolved").await, ["First"]);
    let page = ada.get(format!("/v1/files/{id}/comments?limit=1")).await.status(200);
    let next = format!("/v1/files/{id}/comments?limit=1&cursor={}", page["next_cursor"].text());
    assert_eq!(ada.get(next).await.status(200)["items"][0]["text"], "First");
}

#[shared_testing::test]
async fn comments_on_a_trashed_file_can_only_be_read() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::create(&ada, "Plan").await);
    let written = comment(&ada, &id, "Is that so?").await;
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    assert_eq!(ada.get(format!("/v1/files/{id}/comments")).await.status(200)["items"][0]["id"], written["id"]);
    for (verb, body) in [("resolve", json!({})), ("edit", json!({"text": "B"})), ("delete", json!({}))] {
        on_comment(&ada, &written, verb, body).await.refused(409, "file_trashed");
    }
}

#[shared_testing::test]
async fn a_comment_has_replies_of_one_level() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let other = samples::id(&samples::document_of(&ada, &["one"]).await);
    let first = samples::comment(&ada, &file, "Is that so?").await;
    let elsewhere = samples::comment(&ada, &other, "Elsewhere").await;
    let reply =
        async |body: serde_json::Value| bob.post(format!("/v1/files/{file}/comments")).fresh_key().json(body).await;
    let answer = reply(json!({"text": "It is.", "parent_comment_id": first["id"]})).await.status(200);
    assert_eq!(answer["parent_comment_id"], first["id"]);
    let second = answer["comment"].clone();
    let refused = [
        (json!({"text": "x", "parent_comment_id": second["id"]}), "/parent_comment_id"),
        (json!({"text": "x", "parent_comment_id": elsewhere["id"]}), "/parent_comment_id"),
        (json!({"text": "x", "parent_comment_id": first["id"], "anchor": {"block_id": "b0"}}), "/anchor"),
    ];
    for (body, at) in refused {
        reply(body).await.refused(422, "invalid_field").problems_at(&[at]);
    }
    let listed = ada.get(format!("/v1/files/{file}/comments")).await.status(200);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
    let id = |comment: &serde_json::Value| comment["id"].text().to_owned();
    assert_eq!(listed["parents"], json!({id(&second): first["id"]}));
    let page = ada.get(format!("/v1/files/{file}/comments?limit=1")).await.status(200);
    assert_eq!(page["parents"], json!({id(&second): first["id"]}), "the parent is on the next page");
    // The words of others stay when somebody deletes his own.
    samples::on_comment(&ada, &first, "delete", json!({})).await.status(200);
    let listed = ada.get(format!("/v1/files/{file}/comments")).await.status(200);
    assert_eq!((&listed["items"][0]["id"], &listed["parents"]), (&second["id"], &json!({})));
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &file, "purge", json!({})).await.await.status(200);
    assert_eq!(stage.count("comments"), 1);
}

#[shared_testing::test]
async fn who_may_write_the_file_settles_any_comment() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = samples::comment(&ada, &file, "Is that so?").await;
    let settle = |who: &shared_testing::Caller, comment: &serde_json::Value, status: &str| {
        samples::on_comment(who, comment, "settle", json!({"status": status}))
    };
    settle(&stage.caller("carol").scope("cloud.propose"), &comment, "resolved")
        .await
        .refused(403, "insufficient_scope");
    samples::on_comment(&bob, &comment, "resolve", json!({})).await.refused(403, "not_comment_author");
    settle(&bob, &comment, "done").await.refused(422, "invalid_field").problems_at(&["/status"]);
    let resolved = settle(&bob, &comment, "resolved").await.status(200)["comment"].clone();
    assert_eq!((resolved["status"].text(), resolved["resolved_at"].is_string()), ("resolved", true));
    settle(&bob, &comment, "open").await.refused(412, "etag_mismatch");
    let again = settle(&bob, &resolved, "resolved").await.status(200);
    assert_eq!(again["comment"]["etag"], resolved["etag"], "nothing changes");
    let open = settle(&bob, &resolved, "open").await.status(200)["comment"].clone();
    assert_eq!((open["status"].text(), open["resolved_at"].is_null()), ("open", true));
    let feed = ada.get("/v1/changes").await.status(200);
    let told: Vec<_> = feed["items"].as_array().expect("items").iter().map(|item| item["type"].text()).collect();
    assert_eq!(told[2..], ["comment.resolved", "comment.reopened"]);
}
