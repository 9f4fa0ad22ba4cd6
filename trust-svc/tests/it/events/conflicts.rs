//! Events that do not follow the current state: 409, and the answer has the state.

use serde_json::json;
use shared_testing::Stage;

use crate::test_signer::{TestSigner, but, hash, listed, next};

#[shared_testing::test]
async fn an_event_id_names_one_event() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    let same_id = but(&next(&first, "market.updated", stage.now()), "event_id", first["event_id"].clone());
    let response = signer.publish(&same_id).await.refused(409, "event_id_conflict");
    response.problems_at(&["/event/event_id"]);
}

#[shared_testing::test]
async fn an_event_must_follow_the_current_revision() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    let second = next(&first, "market.updated", stage.now());
    let elsewhere = hash(&json!({}));
    for wrong in [
        but(&second, "revision", 1),
        but(&second, "revision", 3),
        but(&second, "revision", 9_007_199_254_740_991_i64),
        but(&second, "prev_event_hash", elsewhere),
        but(&second, "prev_event_hash", json!(null)),
    ] {
        let response = signer.publish(&wrong).await.refused(409, "revision_conflict");
        let error = &response["error"];
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("at revision 1;") && message.contains(&hash(&first)), "{message}");
        assert_eq!(error["next_action"]["type"], "refresh");
    }
    signer.publish(&second).await.status(200);
}

#[shared_testing::test]
async fn a_market_begins_with_revision_one_and_is_listed() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    for wrong in [but(&first, "revision", 2), but(&first, "prev_event_hash", hash(&first))] {
        let response = signer.publish(&wrong).await.refused(409, "revision_conflict");
        insta::allow_duplicates! {
            insta::assert_json_snapshot!(response.redacted(), @r#"
            {
              "error": {
                "code": "revision_conflict",
                "message": "The market [mkt] has no revision yet; its first event must have revision 1 and prev_event_hash null.",
                "next_action": {
                  "problems": [
                    {
                      "at": "/event/revision",
                      "rule": "must be 1"
                    },
                    {
                      "at": "/event/prev_event_hash",
                      "rule": "must be null"
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
    }
    let response = signer.publish(&but(&first, "kind", "market.updated")).await.refused(409, "market_state_conflict");
    response.problems_at(&["/event/kind"]);
}

#[shared_testing::test]
async fn the_state_of_a_market_decides_what_may_follow() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    for kind in ["market.listed", "market.resumed"] {
        signer.publish(&next(&first, kind, stage.now())).await.refused(409, "market_state_conflict");
    }
    let withdrawn = next(&first, "market.withdrawn", stage.now());
    signer.publish(&withdrawn).await.status(200);
    let response = signer.publish(&next(&withdrawn, "market.resumed", stage.now())).await;
    insta::assert_json_snapshot!(response.refused(409, "market_state_conflict").redacted(), @r#"
    {
      "error": {
        "code": "market_state_conflict",
        "message": "A market in state withdrawn accepts no event of kind market.resumed.",
        "next_action": {
          "href": "[base_url]/wp-json/service-trust/v1/markets/[mkt]",
          "type": "refresh"
        },
        "request_id": "[req]",
        "retryable": false
      }
    }
    "#);
}
