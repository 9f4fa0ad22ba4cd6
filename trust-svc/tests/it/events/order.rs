//! The form of a body, and the order in which a publication is judged.

use std::time::Duration;

use serde_json::json;
use shared_testing::Stage;

use crate::press::{PUBLISH, Press, but, hash, listed};

#[shared_testing::test]
async fn all_problems_of_form_are_told_at_once() {
    let stage = Stage::of(trust_svc::service()).await;
    let press = Press::of(&stage, "press-1").await;
    let told = press
        .send(json!({
            "event": {"odds": [1, 9_007_199_254_740_993_i64]}, "event_hash": "sha256:00", "signer_key_id": "a b",
            "signature": "AAAA", "receipt": true,
        }))
        .await;
    told.refused(422, "invalid_field").problems_at(&[
        "/event/odds/1",
        "/event_hash",
        "/signer_key_id",
        "/signature",
        "/receipt",
    ]);
    press.send(json!({})).await.refused(422, "invalid_field").problems_at(&["", "", "", ""]);
    press.send(json!({"event": []})).await.refused(422, "invalid_field");
}

#[shared_testing::test]
async fn all_problems_of_an_event_are_told_at_once() {
    let stage = Stage::of(trust_svc::service()).await;
    let press = Press::of(&stage, "press-1").await;
    let event = json!({
        "schema": "service/market-event/v2", "event_id": "evt_1", "kind": "market.closed", "market_id": null,
        "revision": 0, "prev_event_hash": 5, "issued_at": "yesterday", "data": "none",
    });
    let told = press.publish(&event).await.refused(422, "invalid_field");
    insta::assert_json_snapshot!(told.redacted(), @r#"
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
              "rule": "must match ^evt_[0-9a-f]{32}$"
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
              "rule": "must be an RFC 3339 timestamp"
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
    let press = Press::of(&stage, "press-1").await;
    let event = listed(1, stage.now().plus(Duration::from_secs(301)));
    let early = press.publish(&event).await.refused(422, "invalid_field");
    early.problems_at(&["/event/issued_at"]);
    stage.clock.advance(Duration::from_secs(301 + 24 * 3600 + 1));
    let late = press.publish(&event).await.refused(422, "invalid_field");
    late.problems_at(&["/event/issued_at"]);
}

/// Each request has all the faults of those below it; it is refused for the first.
#[shared_testing::test]
async fn a_publication_is_judged_in_one_order() {
    let stage = Stage::of(trust_svc::service()).await;
    let hour = Duration::from_secs(3600);
    let press = Press::with(&stage, "press-1", |signer| {
        signer.retires_at = Some(stage.now().plus(hour));
        signer.policy.kinds = Vec::new();
    })
    .await;
    let no_event = json!({ "kind": "market.listed" });
    let signed = press.sign(&no_event);
    let forged = but(&signed, "signature", press.sign(&json!({}))["signature"].clone());
    let mismatched = but(&forged, "event_hash", hash(&json!({})));
    let malformed = but(&mismatched, "event", json!([]));

    stage.clock.advance(hour);
    press.send(malformed).header("origin", "null").await.refused(422, "invalid_field");
    press.send(mismatched.clone()).header("origin", "null").await.refused(403, "origin_denied");
    let elsewhere = "https://other.example";
    press.send(mismatched).header("origin", elsewhere).await.refused(422, "event_hash_mismatch");
    press.send(forged).header("origin", elsewhere).await.refused(401, "signature_invalid");
    press.send(signed).header("origin", elsewhere).await.refused(403, "signer_not_active");

    let press = Press::with(&stage, "press-2", |signer| signer.policy.kinds = Vec::new()).await;
    press.publish(&no_event).header("origin", elsewhere).await.refused(403, "origin_denied");
    press.publish(&no_event).await.refused(422, "invalid_field");
    press.publish(&listed(1, stage.now())).await.refused(403, "signer_not_allowed");
}

#[shared_testing::test]
async fn another_method_is_answered_with_those_that_there_are() {
    let stage = Stage::of(trust_svc::service()).await;
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        let told = stage.anyone().request(method, PUBLISH).await.status(405);
        assert_eq!(told.header("allow"), "POST, OPTIONS");
    }
}
