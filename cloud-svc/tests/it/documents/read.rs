//! `GET /v1/documents/{file_id}`.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text};

use crate::samples;

#[shared_testing::test]
async fn a_document_is_read_as_it_was_written() {
    let stage = Stage::of(service()).seeded(1).await;
    let ada = stage.caller("ada");
    let body = json!({"name": "Plan", "content": {
        "kind": "docs",
        "blocks": [
            {"id": "title", "type": "heading1", "segments": [{"text": "Straße 7 👍", "bold": true}]},
            {"id": "rows", "type": "table", "segments": [], "rows": [[[{"text": "a"}], []], [[], [{"text": "b"}]]]},
            {"id": "end", "type": "divider", "segments": []},
        ],
        "settings": {"page": "A4", "reading": "continuous"},
        "annotations": [{"block": 2, "text": "more?"}],
    }});
    let created = ada.post("/v1/documents").fresh_key().json(body.clone()).await.status(200);
    let response = ada.get(samples::path(&created)).await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "content": {
        "annotations": [
          {
            "block": 2,
            "text": "more?"
          }
        ],
        "blocks": [
          {
            "id": "title",
            "segments": [
              {
                "bold": true,
                "text": "Straße 7 👍"
              }
            ],
            "type": "heading1"
          },
          {
            "id": "rows",
            "rows": [
              [
                [
                  {
                    "text": "a"
                  }
                ],
                []
              ],
              [
                [],
                [
                  {
                    "text": "b"
                  }
                ]
              ]
            ],
            "segments": [],
            "type": "table"
          },
          {
            "id": "end",
            "segments": [],
            "type": "divider"
          }
        ],
        "kind": "docs",
        "settings": {
          "page": "A4",
          "reading": "continuous"
        }
      },
      "content_is_untrusted": true,
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
    assert_eq!(response["content"], body["content"]);
    assert_eq!(response["file"], created["file"]);
    assert_eq!(response.header("etag"), response["file"]["etag"].text());
    assert_eq!(response.header("cache-control"), "private, no-store, no-transform");
}

#[shared_testing::test]
async fn a_document_without_content_is_one_empty_paragraph() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let response = ada.get(samples::path(&samples::create(&ada, "Plan").await)).await.status(200);
    let blocks = response["content"]["blocks"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 1);
    assert_eq!(blocks[0]["type"], "paragraph");
    assert_eq!(blocks[0]["segments"], json!([]));
    assert!(blocks[0]["id"].text().starts_with("b_"));
}

#[shared_testing::test]
async fn a_current_copy_is_not_sent_again() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = samples::create(&ada, "Plan").await;
    let request = |tags: &str| ada.get(samples::path(&created)).header("if-none-match", tags);
    let etag = created.header("etag");
    let response = request(etag).await.status(304);
    assert_eq!((response.header("etag"), response.bytes().len()), (etag, 0));
    request(&format!("\"other\", W/{etag}")).await.status(304);
    request("\"other\"").await.status(200);
    let id = samples::id(&created);
    samples::command(&ada, &id, "rename", serde_json::json!({"name": "Plan 2"})).await.await.status(200);
    request(etag).await.status(200);
}

#[shared_testing::test]
async fn a_stranger_cannot_see_that_the_document_exists() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    let created = samples::create(&ada, "Plan").await;
    let foreign = bob.get(samples::path(&created)).await.refused(404, "not_found");
    let missing = bob.get("/v1/documents/file_99").await.refused(404, "not_found");
    assert_eq!(foreign.redacted(), missing.redacted());
    stage.caller("carol").get(samples::path(&created)).await.status(200);
}

#[shared_testing::test]
async fn only_documents_are_read_as_documents() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::create(&ada, "Plan").await;
    assert_eq!(samples::folder(&ada, "Folder", None).await, "file_2");
    for id in ["file_2", "file_01", "file_0", "file_", "ver_1", "1", "file_9999999999999999"] {
        ada.get(format!("/v1/documents/{id}")).await.refused(404, "not_found");
    }
}

#[shared_testing::test]
async fn a_document_in_the_trash_can_still_be_read() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = samples::create(&ada, "Plan").await;
    let id = samples::id(&created);
    samples::command(&ada, &id, "trash", serde_json::json!({})).await.await.status(200);
    let response = ada.get(samples::path(&created)).await.status(200);
    assert_eq!(response["file"]["state"], "trashed");
}
