//! Checks of the hash and the signature of an event.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;
use shared_testing::{Response, Stage};

use crate::test_signer::{TestSigner, but, hash, listed};

/// Each 401 of this service has its challenge (RFC 9110 §11.6.1).
#[track_caller]
fn challenged(response: Response, code: &str) -> Response {
    let response = response.refused(401, code);
    assert_eq!(response.header("www-authenticate"), "Signature realm=\"service-trust/publish\"");
    response
}

#[shared_testing::test]
async fn the_hash_must_be_that_of_the_event() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    let body = but(&signer.sign(&event), "event_hash", hash(&json!({})));
    let response = signer.send(body).await.refused(422, "event_hash_mismatch").problems_at(&["/event_hash"]);
    let message = response["error"]["message"].as_str().expect("a message");
    assert!(message.contains(&hash(&event)), "the message has the right hash: {message}");
    // The event was altered after it was signed.
    let body = but(&signer.sign(&event), "event", but(&event, "venue", "elsewhere"));
    signer.send(body).await.refused(422, "event_hash_mismatch");
}

#[shared_testing::test]
async fn the_signature_must_be_the_signers_over_this_event_for_this_service() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let other = TestSigner::registered(&stage, "press-2").await;
    let event = listed(1, stage.now());
    let good = signer.sign(&event);
    for wrong in [
        other.sign(&event)["signature"].clone(),
        signer.sign(&but(&event, "venue", "elsewhere"))["signature"].clone(),
        signer.sign_for("https://trust.example", &event)["signature"].clone(),
        json!(BASE64_STANDARD.encode([0; 64])),
    ] {
        let response = signer.send(but(&good, "signature", wrong)).await;
        challenged(response, "signature_invalid").problems_at(&["/signature"]);
    }
    let response = signer.send(but(&good, "signer_key_id", "press-2")).await;
    challenged(response, "signature_invalid");
    signer.send(good).await.status(200);
}

#[shared_testing::test]
async fn an_altered_signature_is_refused_wherever_it_is_altered() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let good = signer.sign(&listed(1, stage.now()));
    let signature = BASE64_STANDARD.decode(good["signature"].as_str().expect("text")).expect("base64");
    for at in (0..64).step_by(3) {
        let mut altered = signature.clone();
        altered[at] ^= 1;
        let response = signer.send(but(&good, "signature", BASE64_STANDARD.encode(altered))).await;
        challenged(response, "signature_invalid");
    }
}

/// R is the identity and s is zero: this fools a lax check under a weak key, and a lazy one that skips R.
#[shared_testing::test]
async fn a_signature_of_small_order_is_refused() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let good = signer.sign(&listed(1, stage.now()));
    let mut forged = [0; 64];
    forged[0] = 1;
    let response = signer.send(but(&good, "signature", BASE64_STANDARD.encode(forged))).await;
    challenged(response, "signature_invalid");
}

#[shared_testing::test]
async fn a_body_without_a_signature_lacks_its_credential() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut body = signer.sign(&listed(1, stage.now()));
    body.as_object_mut().expect("an object").remove("signature");
    let response = challenged(signer.send(body).await, "signature_missing");
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "error": {
        "code": "signature_missing",
        "message": "A published event must be signed; the body has no signature.",
        "next_action": {
          "problems": [
            {
              "at": "",
              "rule": "must have the member \"signature\""
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
async fn an_unknown_signer_and_a_wrong_signature_have_different_codes() {
    let stage = Stage::of(trust_svc::service()).await;
    let stranger = TestSigner::unregistered(&stage, "stranger");
    let response = stranger.publish(&listed(1, stage.now())).await;
    challenged(response, "unknown_signer").problems_at(&["/signer_key_id"]);
}
