//! `POST …/onboarding/model-test`: what is accepted, replayed and refused.

use serde_json::{Value, json};
use shared_testing::together;

use super::{idle_stage, operation_path, path, post};
use crate::{
    model_server as model,
    samples::{digest, id, import, room, subscription},
};

#[shared_testing::test]
async fn refusals_of_a_test_have_a_fixed_order() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let mut bare = room("ada", 2, 1, &model::url(&model));
    for member in ["model", "image_digest"] {
        bare["room"].as_object_mut().expect("an object").remove(member);
    }
    bare["room"]["state"] = json!("suspended");
    let with = |line: &Value, version: u32, member: &str, value: Value| {
        let mut line = line.clone();
        line["room"]["version"] = json!(version);
        line["room"][member] = value;
        line
    };
    let open = with(&bare, 2, "state", json!("onboarding"));
    let configured = with(&open, 3, "model", room("ada", 2, 1, &model::url(&model))["room"]["model"].clone());
    let unknown = with(&configured, 4, "image_digest", json!(format!("sha256:{}", "b".repeat(64))));
    let steps = [
        (bare, "room_state_conflict"),
        (open, "model_not_configured"),
        (configured, "image_not_verified"),
        (unknown.clone(), "image_not_verified"),
    ];
    for (line, code) in steps {
        import(&stage, &[line]).await.expect("a good line");
        let response = post(&ada, 2).await.refused(409, code);
        assert_eq!(response["error"]["next_action"], json!({"type": "contact_support"}));
    }
    let verified = with(&unknown, 5, "image_digest", json!(digest()));
    import(&stage, &[verified]).await.expect("a good line");
    let running = post(&ada, 2).await.status(202);
    let response = post(&ada, 2).await.refused(409, "operation_in_progress");
    let next = json!({"type": "poll", "href": running.header("location"), "after_seconds": 2});
    assert_eq!(response["error"]["next_action"], next);
    assert_eq!(response.header("retry-after"), "2");
    // Another room has a test of its own, and a refusal does not use its key up.
    post(&ada, 1).await.status(202);
    assert_eq!((stage.count("operations"), stage.count("jobs")), (2, 2));
}

#[shared_testing::test]
async fn a_refused_command_may_be_sent_again_with_its_key() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let mut closed = room("ada", 1, 2, &model::url(&model));
    closed["room"]["state"] = json!("closed");
    import(&stage, &[closed]).await.expect("a good line");
    ada.post(path(1)).key("one").await.refused(409, "room_state_conflict");
    import(&stage, &[room("ada", 1, 3, &model::url(&model))]).await.expect("a good line");
    ada.post(path(1)).key("one").await.status(202);
    ada.post(path(2)).key("one").await.refused(409, "idempotency_key_reused");
}

#[shared_testing::test]
async fn a_body_is_absent_empty_or_an_empty_object() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let same_key = || ada.post(path(1)).key("one");
    same_key().await.status(202);
    same_key().body("text/plain", "").await.status(202);
    same_key().json(json!({})).await.status(202);
    same_key().body("application/json", " {\n} ").await.status(202);
    for body in ["[]", "null", "true", " ", "{}{}"] {
        same_key().body("application/json", body).await.refused(400, "invalid_request").problems_at(&[""]);
    }
    let response = same_key().json(json!({"a": 1, "b": {}})).await.refused(400, "invalid_request");
    response.problems_at(&["/a", "/b"]);
    same_key().body("text/plain", "{}").await.refused(415, "unsupported_media_type");
    ada.post(path(1)).await.refused(400, "idempotency_key_required");
}

#[shared_testing::test]
async fn a_foreign_room_and_a_foreign_operation_are_as_if_they_did_not_exist() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    import(&stage, &[subscription("eve", 7, 0)]).await.expect("a good line");
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let response = post(&ada, 1).await.status(202);
    let foreign = post(&bob, 1).await.refused(404, "not_found").redacted();
    assert_eq!(post(&bob, 2).await.refused(404, "not_found").redacted(), foreign);
    assert_eq!(post(&bob, 7).await.refused(404, "not_found").redacted(), foreign);
    let malformed = bob.post("/api/v1/rooms/room_1/onboarding/model-test").fresh_key();
    assert_eq!(malformed.clone().await.refused(404, "not_found").redacted(), foreign);
    // Also with a wrong body, which is read after the room.
    malformed.json(json!({"a": 1})).await.refused(404, "not_found");
    let foreign = bob.get(operation_path(&stage, &response)).await.refused(404, "not_found").redacted();
    let missing = bob.get(format!("/api/v1/operations/{}", id("op", 1))).await.refused(404, "not_found");
    assert_eq!(missing.redacted(), foreign);
}

#[shared_testing::test]
async fn twenty_parallel_commands_with_one_key_queue_one_test() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let answers = together((0..20).map(|_| ada.post(path(1)).key("one"))).await;
    let first = answers[0]["data"]["operation_id"].clone();
    let replays = answers.into_iter().map(|response| {
        let response = response.status(202);
        assert_eq!(response["data"]["operation_id"], first);
        usize::from(response["meta"]["replayed"] == true)
    });
    assert_eq!(replays.sum::<usize>(), 19);
    assert_eq!((stage.count("operations"), stage.count("jobs")), (1, 1));
}

#[shared_testing::test]
async fn twenty_parallel_commands_with_twenty_keys_queue_one_test_and_nineteen_see_it() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let answers = together((0..20).map(|_| post(&ada, 1))).await;
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|response| response.status == 202);
    assert_eq!((accepted.len(), refused.len()), (1, 19));
    for response in refused {
        let response = response.refused(409, "operation_in_progress");
        assert_eq!(response["error"]["next_action"]["href"], accepted[0].header("location"));
    }
    assert_eq!((stage.count("operations"), stage.count("jobs")), (1, 1));
}
