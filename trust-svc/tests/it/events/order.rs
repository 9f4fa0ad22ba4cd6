//! The form of a body, and the order of the checks of a publication.

use std::time::Duration;

use serde_json::json;
use shared_testing::Stage;

use crate::test_signer::{PUBLISH, TestSigner, but, hash, listed};

#[shared_testing::test]
async fn all_problems_of_form_are_reported_at_once() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let response = signer
        .send(json!({
            "event": {"odds": [1, 9_007_199_254_740_993_i64]}, "event_hash": "sha256:00", "signer_key_id": "a b",
            "signature": "AAAA", "receipt": true,
        }))
        .await;
    response.refused(422, "invalid_field").problems_at(&[
        "/event/odds/1",
        "/event_hash",
        "/signer_key_id",
        "/signature",
        "/receipt",
    ]);
    signer.send(json!({})).await.refused(422, "invalid_field").problems_at(&["", "", "", ""]);
    signer.send(json!({"event": []})).await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn all_problems_of_an_event_are_reported_at_once() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = json!({
        "schema": "service/market-event/v2", "event_id": "evt_1", "kind": "market.closed", "market_id": null,
        "revision": 0, "prev_event_hash": 5, "issued_at": "yesterday", "data": "none",
    });
    let response = signer.publish(&event).await.refused(422, "invalid_field");
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "error": {
        "code": "invalid_field",
        "message": "/event/schema must be one of: service/market-event/v1.",
        "next_action": {
          "problems": [
            {
              "at": "/event/schema",
              "rule": "must be one of: service/market-event/v1"
            },
            {
              "at": "/event/event_id",
              "rule": "must be evt_ and 32 lowercase hex digits"
            },
            {
              "at": "/event/kind",
              "rule": "must be one of: market.listed, market.updated, market.suspended, market.resumed, market.resolved, market.withdrawn"
            },
            {
              "at": "/event/market_id",
              "rule": "must be a string"
            },
            {
              "at": "/event/revision",
              "rule": "must be an integer from 1 to 9007199254740991"
            },
            {
              "at": "/event/prev_event_hash",
              "rule": "must be a string"
            },
            {
              "at": "/event/issued_at",
              "rule": "must be an RFC 3339 timestamp from 1970 to 9999, like 2026-11-21T09:30:00Z"
            },
            {
              "at": "/event/data",
              "rule": "must be an object"
            }
          ],
          "type": "correct_request"
        },
        "request_id": "[req]",
        "retryable": false
      }
    }
    "#);
}

#[shared_testing::test]
async fn an_event_is_published_within_a_day_of_its_making() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now().plus(Duration::from_secs(301)));
    let early = signer.publish(&event).await.refused(422, "invalid_field");
    early.problems_at(&["/event/issued_at"]);
    stage.clock.advance(Duration::from_secs(301 + 24 * 3600 + 1));
    let late = signer.publish(&event).await.refused(422, "invalid_field");
    late.problems_at(&["/event/issued_at"]);
}

/// Each request has all mistakes of the requests after it, and is refused for the first.
#[shared_testing::test]
async fn a_publication_is_judged_in_one_order() {
    let stage = Stage::of(trust_svc::service()).await;
    let hour = Duration::from_secs(3600);
    let signer = TestSigner::with(&stage, "press-1", |signer| {
        signer.retires_at = Some(stage.now().plus(hour));
        signer.policy.kinds = Vec::new();
    })
    .await;
    let no_event = json!({ "kind": "market.listed" });
    let signed = signer.sign(&no_event);
    let forged = but(&signed, "signature", signer.sign(&json!({}))["signature"].clone());
    let mismatched = but(&forged, "event_hash", hash(&json!({})));
    let malformed = but(&mismatched, "event", json!([]));

    stage.clock.advance(hour);
    signer.send(malformed).header("origin", "null").await.refused(422, "invalid_field");
    signer.send(mismatched.clone()).header("origin", "null").await.refused(403, "origin_denied");
    let elsewhere = "https://other.example";
    signer.send(mismatched).header("origin", elsewhere).await.refused(422, "event_hash_mismatch");
    signer.send(forged).header("origin", elsewhere).await.refused(401, "signature_invalid");
    signer.send(signed).header("origin", elsewhere).await.refused(403, "signer_not_active");

    let signer = TestSigner::with(&stage, "press-2", |signer| signer.policy.kinds = Vec::new()).await;
    signer.publish(&no_event).header("origin", elsewhere).await.refused(403, "origin_denied");
    signer.publish(&no_event).await.refused(422, "invalid_field");
    signer.publish(&listed(1, stage.now())).await.refused(403, "signer_not_allowed");
}

#[shared_testing::test]
async fn another_method_is_answered_with_the_allowed_ones() {
    let stage = Stage::of(trust_svc::service()).await;
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        let response = stage.anyone().request(method, PUBLISH).await.status(405);
        assert_eq!(response.header("allow"), "POST, OPTIONS");
    }
}
