//! Sending chunks.

use serde_json::{Value, json};
use shared_testing::{Stage, Text, together};

use super::{CHUNK, begin, begun, bytes, claim, command, downloaded, objects, put, sent, status, storage};
use cloud_svc::service;

#[shared_testing::test]
async fn a_file_is_downloaded_as_it_was_uploaded() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 77] {
        let whole = bytes(length);
        let begun = begin(&ada, claim(&whole)).await.status(200);
        let upload = begun["upload"].clone();
        let id = upload["id"].text();
        assert_eq!(begun.header("location"), format!("{}/v1/uploads/{id}", stage.base_url()));
        let count = length.div_ceil(CHUNK);
        let expected = json!({
            "id": id, "state": "pending", "name": "Drawings", "mime": "image/png", "size": length,
            "sha256": claim(&whole)["sha256"], "chunk_bytes": CHUNK, "chunk_count": count, "received_bytes": 0,
            "next_chunk_index": 0, "expires_at": upload["expires_at"], "file_id": null, "version_id": null,
            "chunk_url_template": format!("{}/v1/uploads/{id}/chunks/{{index}}", stage.base_url()),
            "chunk_method": "PUT", "authorization": "bearer_grant",
        });
        assert_eq!(upload, expected);
        assert_eq!(status(&ada, id).await, expected);
        sent(&ada, id, &whole).await;
        let there = status(&ada, id).await;
        assert_eq!((&there["received_bytes"], &there["next_chunk_index"]), (&json!(length), &json!(count)));
        let completed = command(&ada, id, "complete").await.status(200);
        assert_eq!(completed["upload"]["state"], "completed");
        assert_eq!(completed["upload"]["file_id"], completed["file"]["id"]);
        assert_eq!(completed["upload"]["version_id"], completed["file"]["current_version_id"]);
        assert_eq!(completed["file"]["type"], "uploaded_file");
        assert!(downloaded(&stage, &ada, completed["file"]["id"].text()).await == whole, "{length}");
    }
    assert_eq!(stage.count("versions"), 6);
}

#[shared_testing::test]
async fn a_chunk_that_is_sent_again_counts_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(2 * CHUNK + 5);
    let id = begun(&ada, &whole).await;
    for (index, chunk) in whole.chunks(CHUNK).enumerate() {
        for _ in 0..2 {
            let answer = put(&ada, &id, index, chunk).await.status(200);
            let upload = &answer["upload"];
            assert_eq!(upload["next_chunk_index"], index + 1);
            assert_eq!(upload["received_bytes"], (index * CHUNK) + chunk.len());
        }
        let mut other = chunk.to_vec();
        other[chunk.len() / 2] ^= 1;
        let conflict = put(&ada, &id, index, &other).await.refused(409, "chunk_conflict");
        assert!(matches!(conflict["error"]["next_action"]["type"].text(), "refresh" | "send_chunk"));
    }
    // An earlier chunk as well.
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    assert_eq!(objects(&stage), 3);
    command(&ada, &id, "complete").await.status(200);
}

#[shared_testing::test]
async fn ten_equal_chunks_at_once_count_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK + 9);
    let id = begun(&ada, &whole).await;
    for (index, chunk) in whole.chunks(CHUNK).enumerate() {
        for answer in together((0..10).map(|_| put(&ada, &id, index, chunk))).await {
            assert_eq!(answer.status(200)["upload"]["next_chunk_index"], index + 1);
        }
        assert_eq!(status(&ada, &id).await["received_bytes"], index * CHUNK + chunk.len());
    }
    assert_eq!(objects(&stage), 2, "those that lost the race are gone");
    command(&ada, &id, "complete").await.status(200);
}

#[shared_testing::test]
async fn of_two_different_chunks_at_once_one_counts() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK);
    let id = begun(&ada, &whole).await;
    let mut other = whole.clone();
    other[7] ^= 1;
    let answers = together([put(&ada, &id, 0, &whole), put(&ada, &id, 0, &other)]).await;
    let codes: Vec<Value> = answers.iter().map(|answer| answer.json()["error"]["code"].clone()).collect();
    assert!(codes.contains(&json!("chunk_conflict")) && codes.contains(&Value::Null), "{codes:?}");
    assert_eq!(objects(&stage), 1);
}

#[shared_testing::test]
async fn chunks_must_be_sent_in_order() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(3 * CHUNK);
    let id = begun(&ada, &whole).await;
    let leads_to = |answer: &shared_testing::Response, index: i64| {
        let href = format!("{}/v1/uploads/{id}/chunks/{index}", stage.base_url());
        assert_eq!(answer["error"]["next_action"], json!({"type": "send_chunk", "index": index, "href": href}));
    };
    leads_to(&put(&ada, &id, 2, &whole[..CHUNK]).await.refused(409, "chunk_out_of_order"), 0);
    leads_to(&put(&ada, &id, 999, &whole[..CHUNK]).await.refused(409, "chunk_out_of_order"), 0);
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    leads_to(&put(&ada, &id, 2, &whole[..CHUNK]).await.refused(409, "chunk_out_of_order"), 1);
    leads_to(&command(&ada, &id, "complete").await.refused(409, "upload_state"), 1);
    put(&ada, &id, 1, &whole[CHUNK..2 * CHUNK]).await.status(200);
    put(&ada, &id, 2, &whole[2 * CHUNK..]).await.status(200);
    let rule = |response: &shared_testing::Response| response["error"]["next_action"]["problems"][0]["rule"].clone();
    let beyond = put(&ada, &id, 3, &whole[..CHUNK]).await.refused(404, "not_found").problems_at(&["index"]);
    assert_eq!(rule(&beyond), "must be a whole number from 0 to 2");
    for index in ["-1", "01", "+1", "1.0", "x", "99999999999999999999", "%31%20"] {
        let wrong = put(&ada, &id, 0, b"").at(format!("/v1/uploads/{id}/chunks/{index}")).await;
        let wrong = wrong.refused(404, "not_found").problems_at(&["index"]);
        assert_eq!(rule(&wrong), "must be a whole number from 0", "{index}");
    }
    let nobodys = put(&ada, "upl_x", 0, b"").await.refused(404, "not_found");
    nobodys.problems_at(&["upload_id", "index"]);
}

#[shared_testing::test]
async fn only_its_grant_sees_an_upload() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(10);
    let id = begun(&ada, &whole).await;
    for other in [stage.caller("ada").claim("grant_id", "another"), stage.caller("bob").claim("workspace_id", "ws_2")] {
        other.get(format!("/v1/uploads/{id}")).await.refused(404, "not_found");
        put(&other, &id, 0, &whole).await.refused(404, "not_found");
        command(&other, &id, "complete").await.refused(404, "not_found");
        command(&other, &id, "cancel").await.refused(404, "not_found");
    }
    assert_eq!(status(&ada, &id).await["received_bytes"], 0);
    assert_eq!((storage(&ada).await, objects(&stage)), ((0, 10), 0));
}
