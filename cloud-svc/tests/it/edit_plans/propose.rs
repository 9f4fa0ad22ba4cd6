//! `POST /v1/files/{file_id}/edit-plans`.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text};

use crate::samples::{self, propose};

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "segments": [{"text": text}]})
}

#[shared_testing::test]
async fn a_plan_shows_what_it_would_change_and_changes_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let before = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let operations = json!([
        {"op": "replace_text", "block_id": "b0", "find": "one", "replace": "1", "expected_count": 1},
        {"op": "insert_block", "block": {"id": "new", "type": "quote", "segments": []}, "after_id": "b0"},
        {"op": "move_block", "block_id": "b1", "after_id": null},
    ]);
    let response = propose(&ada, &id, operations).await.await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "content_is_untrusted": true,
      "joined": false,
      "plan": {
        "actor": {
          "display_name": "ada",
          "id": "ada",
          "type": "user"
        },
        "answers_comment_id": null,
        "applied_version_id": null,
        "apply_url": "[base_url]/v1/documents/file_1/edit-plans/[plan]/apply",
        "approval_carried_from": null,
        "base_etag": "[etag]",
        "base_version_id": "ver_1",
        "changes": [
          {
            "after": {
              "id": "b0",
              "segments": [
                {
                  "text": "1"
                }
              ],
              "type": "paragraph"
            },
            "before": {
              "id": "b0",
              "segments": [
                {
                  "text": "one"
                }
              ],
              "type": "paragraph"
            },
            "block_id": "b0",
            "id": "c1",
            "kind": "replace",
            "op": 0
          },
          {
            "after": {
              "id": "new",
              "segments": [],
              "type": "quote"
            },
            "after_id": "b0",
            "before": null,
            "block_id": "new",
            "id": "c2",
            "kind": "insert",
            "op": 1
          },
          {
            "after": {
              "id": "b1",
              "segments": [
                {
                  "text": "two"
                }
              ],
              "type": "paragraph"
            },
            "after_id": null,
            "before": {
              "id": "b1",
              "segments": [
                {
                  "text": "two"
                }
              ],
              "type": "paragraph"
            },
            "block_id": "b1",
            "id": "c3",
            "kind": "move",
            "op": 2
          }
        ],
        "co_authors": [],
        "confirmed_at": null,
        "confirmed_through": null,
        "created_at": "[timestamp]",
        "derived_from": null,
        "expires_at": "[timestamp]",
        "file_id": "file_1",
        "id": "[plan]",
        "kind": "docs",
        "no_op": false,
        "operations": 3,
        "proposal_id": null,
        "proposal_sha256": "398791199310d4c544301a430c70a6c879cbab36bbcb73e09e85a2602b004d88",
        "rebased_by": null,
        "rebased_from": null,
        "review": null,
        "revision": 1,
        "stale": false,
        "state": "proposed",
        "summary": {
          "bytes_after": 184,
          "bytes_before": 144,
          "cells_changed": 0,
          "deleted": 0,
          "formulas_added": 0,
          "formulas_overwritten": 0,
          "formulas_rewritten": 0,
          "inserted": 1,
          "moved": 1,
          "replaced": 1
        },
        "superseded_by": null,
        "warnings": [
          {
            "code": "large_deletion",
            "detail": "6 bytes of text before, 4 after; deleted parts: 0",
            "op": null,
            "severity": "medium",
            "where": ""
          }
        ]
      },
      "request_id": "[req]"
    }
    "#);
    let after = ada.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!((&before["file"], &before["content"]), (&after["file"], &after["content"]));
    let read = ada.get(format!("/v1/files/{id}/edit-plans/{}", response["plan"]["id"].text())).await.status(200);
    assert_eq!(read["plan"], response["plan"]);
    let listed = ada.get(format!("/v1/files/{id}/edit-plans")).await.status(200);
    assert_eq!(listed["items"][0]["id"], response["plan"]["id"]);
    assert_eq!(listed["items"][0]["changes"], Value::Null);
}

#[shared_testing::test]
async fn operations_are_carried_out_one_after_the_other() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["a", "b", "c"]).await);
    let operations = json!([
        {"op": "insert_block", "block": {"id": "x", "type": "paragraph", "segments": []}},
        {"op": "insert_block", "block": {"id": "y", "type": "paragraph", "segments": []}, "after_id": "x"},
        {"op": "insert_block_before", "block": {"id": "z", "type": "divider", "segments": []}, "before_id": "b0"},
        {"op": "delete_block", "block_id": "b1"},
        {"op": "move_block", "block_id": "y", "after_id": "b0"},
        {"op": "replace_block", "block_id": "x", "block": paragraph("X")},
    ]);
    let plan = propose(&ada, &id, operations).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &plan).await.await.status(200);
    let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let ids: Vec<_> =
        document["content"]["blocks"].as_array().expect("blocks").iter().map(|b| b["id"].text()).collect();
    assert_eq!(ids, ["z", "b0", "y", "b2", "x"]);
    assert_eq!(document["content"]["blocks"][4]["segments"][0]["text"], "X");
}

#[shared_testing::test]
async fn an_operation_that_cannot_be_carried_out_is_refused_with_its_place() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["a", "a a"]).await);
    let good = json!({"op": "delete_block", "block_id": "b0"});
    for (operation, code, place) in [
        (json!({"op": "delete_block", "block_id": "b9"}), "block_not_found", "/operations/1/block_id"),
        (json!({"op": "delete_block", "block_id": "b0"}), "block_not_found", "/operations/1/block_id"),
        (
            json!({"op": "insert_block", "block": paragraph("x"), "after_id": "b0"}),
            "block_not_found",
            "/operations/1/after_id",
        ),
        (
            json!({"op": "insert_block", "block": {"id": "b0", "type": "divider", "segments": []}}),
            "invalid_field",
            "/operations/1/block/id",
        ),
        (
            json!({"op": "replace_block", "block_id": "b1", "block": {"id": "x", "type": "divider", "segments": []}}),
            "invalid_field",
            "/operations/1/block/id",
        ),
        (
            json!({"op": "replace_text", "block_id": "b1", "find": "a", "replace": "", "expected_count": 1}),
            "invalid_field",
            "/operations/1/expected_count",
        ),
        (json!({"op": "delete_block", "block_id": "b1"}), "invalid_field", "/operations"),
        (json!({"op": "explode"}), "invalid_field", "/operations/1/op"),
        (json!({"op": "delete_block", "block_id": "b1", "force": true}), "invalid_field", "/operations/1/force"),
        (json!("delete_block"), "invalid_field", "/operations/1"),
        (
            json!({"op": "set_annotations", "annotations": [{"block": 1, "text": ""}]}),
            "invalid_field",
            "/operations/1/annotations/0/block",
        ),
    ] {
        let response = propose(&ada, &id, json!([good, operation])).await.await;
        response.refused(422, code).problems_at(&[place]);
    }
    propose(&ada, &id, json!([])).await.await.refused(422, "invalid_field").problems_at(&["/operations"]);
    let many = vec![good; 51];
    propose(&ada, &id, json!(many)).await.await.refused(422, "invalid_field").problems_at(&["/operations"]);
    assert_eq!(stage.count("edit_plans"), 0);
}

#[shared_testing::test]
async fn a_plan_that_changes_nothing_says_so_and_makes_no_version() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let other = samples::plan(&ada, &id, "two").await;
    let same = json!([{"op": "replace_block", "block_id": "b0", "block": paragraph("one")}]);
    let plan = propose(&ada, &id, same).await.await.status(200)["plan"].clone();
    assert_eq!((&plan["no_op"], &plan["changes"]), (&json!(true), &json!([])));
    let seen = samples::etag(&ada, &id).await;
    let applied = samples::apply(&ada, &plan).await.await.status(200);
    assert_eq!((&applied["undo"], applied["file"]["etag"].text()), (&Value::Null, seen.as_str()));
    assert_eq!(applied["plan"]["state"], "applied");
    assert_eq!((stage.count("versions"), stage.count("changes")), (1, 1));
    samples::apply(&ada, &other).await.await.status(200);
}

#[shared_testing::test]
async fn a_plan_is_for_the_state_that_was_seen() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let seen = samples::etag(&ada, &id).await;
    samples::apply(&ada, &samples::plan(&ada, &id, "two").await).await.await.status(200);
    let body = json!({"operations": [{"op": "delete_block", "block_id": "b0"}]});
    let propose = || ada.post(format!("/v1/files/{id}/edit-plans")).key("k").json(body.clone());
    propose().await.refused(428, "if_match_required");
    let stale = propose().header("if-match", seen).await.refused(412, "etag_mismatch");
    let action = &stale["error"]["next_action"];
    assert_eq!(action["href"], format!("{}/v1/documents/{id}", stage.base_url()));
    propose().header("if-match", action["etag"].text()).await.status(200);
}

#[shared_testing::test]
async fn the_retry_of_a_proposal_replays_whatever_has_become_of_the_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let body = json!({"operations": [{"op": "delete_block", "block_id": "b0"}]});
    let seen = samples::etag(&ada, &id).await;
    let propose = || {
        let request = ada.post(format!("/v1/files/{id}/edit-plans")).key("k").header("if-match", seen.clone());
        request.json(body.clone())
    };
    let first = propose().await.status(200);
    samples::apply(&ada, &first["plan"]).await.await.status(200);
    let again = propose().await.status(200);
    assert_eq!((&again["replayed"], &again["plan"]), (&json!(true), &first["plan"]));
}

#[shared_testing::test]
async fn a_plan_carries_warnings_for_its_reviewer() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let long = "long ".repeat(30);
    let id = samples::id(&samples::document_of(&ada, &[&long, "short"]).await);
    let comment = ada.post(format!("/v1/files/{id}/comments")).fresh_key();
    comment.json(json!({"text": "Is that so?", "anchor": {"block_id": "b0"}})).await.status(200);
    let annotate = json!([{"op": "set_annotations", "annotations": [{"block": 0, "text": "Check this."}]}]);
    let plan = propose(&ada, &id, annotate).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &plan).await.await.status(200);

    let plan = propose(&ada, &id, json!([{"op": "delete_block", "block_id": "b0"}])).await.await.status(200);
    let warnings: Vec<_> =
        plan["plan"]["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].text()).collect();
    assert_eq!(warnings, ["annotation_detached", "large_deletion", "comment_anchor_lost"]);
    assert_eq!(plan["plan"]["warnings"][1]["severity"], "medium", "little text goes");
    samples::apply(&ada, &plan["plan"]).await.await.status(200);
    let comments = ada.get(format!("/v1/files/{id}/comments")).await.status(200);
    assert_eq!(comments["orphaned"], json!(["cmt_1"]));
}

#[shared_testing::test]
async fn only_contents_are_edited() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Folder", None).await;
    let response = propose(&ada, &folder, json!([{"op": "delete_block", "block_id": "a"}])).await.await;
    response.refused(422, "invalid_field").problems_at(&["file_id"]);
}

#[shared_testing::test]
async fn operations_are_judged_by_the_type_of_the_file_once_it_is_found() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let of_a_note = json!([{"op": "append_text", "text": "x"}, {"op": "replace_text", "find": "a", "replace": "b"}]);
    let refused = propose(&ada, &id, of_a_note.clone()).await.await.refused(422, "invalid_field");
    refused.problems_at(&["/operations/0/op", "/operations/1", "/operations/1"]);
    let body = json!({"operations": of_a_note});
    let stale = format!("\"{}\"", "0".repeat(64));
    let send = |id: &str| ada.post(format!("/v1/files/{id}/edit-plans")).fresh_key().header("if-match", &stale);
    send(&id).json(body.clone()).await.refused(412, "etag_mismatch");
    send("file_999999999").json(body).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn a_plan_may_not_make_a_file_too_long() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let body = json!({"name": "Links", "content": samples::links(1_900_000)});
    let id = samples::id(&ada.post("/v1/documents").fresh_key().json(body).await.status(200));
    let insert = |links: usize| {
        let link = format!("https://example.com/{}", "a".repeat(2_000));
        let cell = vec![json!({"text": "a", "link": link}); links];
        json!([{"op": "insert_block", "block": {"type": "table", "segments": [], "rows": [[cell, cell]]}}])
    };
    let refused = propose(&ada, &id, insert(75)).await.await.refused(422, "invalid_field");
    let message = refused["error"]["message"].text().to_owned();
    let rule = "would break a rule of the content: it must have at most 2097152 bytes as JSON (request_bytes), has 22";
    assert!(message.contains(rule), "{message}");
    refused.problems_at(&["/operations"]);
    assert_eq!(stage.count("edit_plans"), 0);
    propose(&ada, &id, insert(30)).await.await.status(200);
}
