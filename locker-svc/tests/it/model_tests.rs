//! Testing a room's model through HTTP: what is accepted, what is refused, and what becomes of it.

use std::time::Duration;

use locker_svc::{model_tests, service};
use serde_json::{Value, json};
use shared_runtime::{context::settings::WorkerMode, jobs::Workers};
use shared_testing::{
    Caller, Request, Response, Stage, StageBuilder, Text as _, hostile_server::HostileServer, together,
};

use crate::{
    model,
    samples::{attest, id, import, room, subscription},
};

pub fn path(room: u32) -> String {
    format!("/api/v1/rooms/{}/onboarding/model-test", id("room", room))
}

fn post(caller: &Caller, room: u32) -> Request {
    caller.post(path(room)).fresh_key()
}

/// A locker that may call this machine.
fn locker() -> StageBuilder {
    Stage::of(service()).settings(|settings| settings.outbound_allow = vec!["127.0.0.1/32".parse().expect("a network")])
}

/// The same with ada's room 1 and its model, and nobody who works.
async fn idle_stage(model: &HostileServer) -> Stage {
    let stage = locker().settings(|settings| settings.workers = WorkerMode::Off).await;
    attest(&stage).await;
    import(&stage, &[room("ada", 1, 1, &model::url(model))]).await.expect("a good line");
    stage
}

fn start_worker(stage: &Stage) -> Workers {
    Workers::start(stage.context.clone(), vec![model_tests::job()])
}

/// The path of the operation that this answer leads to.
fn operation_path(stage: &Stage, told: &Response) -> String {
    let path = told.header("location").strip_prefix(stage.base_url()).expect("an absolute URI of this service");
    assert_eq!(path, format!("/api/v1/operations/{}", told["data"]["operation_id"].text()));
    path.to_owned()
}

/// The operation when it has ended.
async fn ended(stage: &Stage, caller: &Caller, told: &Response) -> Response {
    while stage.count("operations WHERE finished_at IS NULL") > 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    caller.get(operation_path(stage, told)).await.status(200)
}

#[shared_testing::test]
async fn a_test_is_accepted_run_and_told_to_its_owner() {
    let model = model::saying("ready\u{7}");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let told = post(&ada, 1).json(json!({})).await.status(202);
    insta::assert_json_snapshot!(told.redacted(), @r#"
    {
      "data": {
        "operation_id": "[op]",
        "poll_after_seconds": 2,
        "room_id": "[room]",
        "status": "queued"
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!(told.header("retry-after"), "2");
    assert_eq!((told.header("x-ratelimit-limit"), told.header("x-ratelimit-remaining")), ("30", "29"));
    let queued = ada.get(operation_path(&stage, &told)).await.status(200);
    assert_eq!(queued.header("retry-after"), "2");
    assert_eq!(queued["data"]["status"], "queued");

    let worker = start_worker(&stage);
    let told = ended(&stage, &ada, &told).await;
    assert!(!told.has_header("retry-after"));
    let mut redacted = told.redacted();
    redacted["data"]["result"]["phases"] = json!("[milliseconds]");
    insta::assert_json_snapshot!(redacted, @r#"
    {
      "data": {
        "finished_at": "[timestamp]",
        "kind": "model_test",
        "operation_id": "[op]",
        "poll_after_seconds": 0,
        "queued_at": "[timestamp]",
        "result": {
          "http_status": 200,
          "note": "ready",
          "note_is_untrusted": true,
          "outcome": "ok",
          "phases": "[milliseconds]",
          "reason": null
        },
        "room_id": "[room]",
        "started_at": "[timestamp]",
        "status": "succeeded"
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!((model::chats(&model), stage.count("jobs")), (1, 0));
    worker.stop().await;
}

#[shared_testing::test]
async fn the_same_key_is_202_while_the_test_goes_on_and_200_when_it_has_ended() {
    let (model, chats) = model::waiting();
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let first = ada.post(path(1)).key("one").await.status(202);
    let queued = ada.post(path(1)).key("one").json(json!({})).await.status(202);
    let worker = start_worker(&stage);
    let answer = tokio::task::spawn_blocking(move || chats.recv()).await.expect("a thread").expect("a chat");
    let running = ada.post(path(1)).key("one").await.status(202);
    for replay in [queued, running] {
        assert_eq!((&replay["data"], &replay["meta"]["replayed"]), (&first["data"], &json!(true)));
        assert_eq!(replay.header("location"), first.header("location"));
        assert_eq!(replay.header("retry-after"), "2");
    }
    answer.send(Ok("ready")).expect("the model waits");
    assert_eq!(ended(&stage, &ada, &first).await["data"]["status"], "succeeded");
    let replay = ada.post(path(1)).key("one").await.status(200);
    let mut data = first["data"].clone();
    data["poll_after_seconds"] = json!(0);
    assert_eq!((&replay["data"], &replay["meta"]["replayed"]), (&data, &json!(true)));
    assert_eq!(replay.header("location"), first.header("location"));
    assert!(!replay.has_header("retry-after"));
    worker.stop().await;
}

#[shared_testing::test]
async fn what_stands_in_the_way_of_a_test_is_told_in_a_fixed_order() {
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
        let told = post(&ada, 2).await.refused(409, code);
        assert_eq!(told["error"]["next_action"], json!({"type": "contact_support"}));
    }
    let verified = with(&unknown, 5, "image_digest", json!(crate::samples::digest()));
    import(&stage, &[verified]).await.expect("a good line");
    let running = post(&ada, 2).await.status(202);
    let told = post(&ada, 2).await.refused(409, "operation_in_progress");
    let next = json!({"type": "poll", "href": running.header("location"), "after_seconds": 2});
    assert_eq!(told["error"]["next_action"], next);
    assert_eq!(told.header("retry-after"), "2");
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
    let told = same_key().json(json!({"a": 1, "b": {}})).await.refused(400, "invalid_request");
    told.problems_at(&["/a", "/b"]);
    same_key().body("text/plain", "{}").await.refused(415, "unsupported_media_type");
    ada.post(path(1)).await.refused(400, "idempotency_key_required");
}

#[shared_testing::test]
async fn a_foreign_room_and_a_foreign_operation_are_as_if_they_did_not_exist() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    import(&stage, &[subscription("eve", 7, 0)]).await.expect("a good line");
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let told = post(&ada, 1).await.status(202);
    let foreign = post(&bob, 1).await.refused(404, "not_found").redacted();
    assert_eq!(post(&bob, 2).await.refused(404, "not_found").redacted(), foreign);
    assert_eq!(post(&bob, 7).await.refused(404, "not_found").redacted(), foreign);
    let malformed = bob.post("/api/v1/rooms/room_1/onboarding/model-test").fresh_key();
    assert_eq!(malformed.await.refused(404, "not_found").redacted(), foreign);
    let foreign = bob.get(operation_path(&stage, &told)).await.refused(404, "not_found").redacted();
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
    let replays = answers.into_iter().map(|told| {
        let told = told.status(202);
        assert_eq!(told["data"]["operation_id"], first);
        usize::from(told["meta"]["replayed"] == true)
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
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|told| told.status == 202);
    assert_eq!((accepted.len(), refused.len()), (1, 19));
    for told in refused {
        let told = told.refused(409, "operation_in_progress");
        assert_eq!(told["error"]["next_action"]["href"], accepted[0].header("location"));
    }
    assert_eq!((stage.count("operations"), stage.count("jobs")), (1, 1));
}

#[shared_testing::test]
async fn an_unpaid_order_is_told_and_none_is_made() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let mut line = room("ada", 1, 2, &model::url(&model));
    line["room"]["pending_order_id"] = json!(id("ord", 4));
    import(&stage, &[line]).await.expect("a good line");
    let ada = stage.caller("ada");
    let told = post(&ada, 1).await.status(202);
    let data = &told["data"];
    assert_eq!((&data["status"], &data["order_id"]), (&json!("checkout_queued"), &json!(id("ord", 4))));
    let queued = ada.get(operation_path(&stage, &told)).await.status(200);
    let data = &queued["data"];
    assert_eq!((&data["status"], &data["order_id"]), (&json!("checkout_queued"), &json!(id("ord", 4))));
    let worker = start_worker(&stage);
    assert_eq!(ended(&stage, &ada, &told).await["data"]["status"], "succeeded");
    worker.stop().await;
}

#[shared_testing::test]
async fn a_model_that_refuses_its_key_fails_the_test() {
    let model = HostileServer::http(|stream, _| {
        let body = json!({"error": {"message": "Incorrect key", "type": "invalid_request_error"}}).to_string();
        stream.write_all(shared_testing::hostile_server::answer(401, "", &body).as_bytes())
    });
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let told = post(&ada, 1).await.status(202);
    let worker = start_worker(&stage);
    let told = ended(&stage, &ada, &told).await;
    assert_eq!(
        (&told["data"]["status"], &told["data"]["result"]["outcome"]),
        (&json!("failed"), &json!("auth_rejected"))
    );
    // The room is free for the next.
    post(&ada, 1).await.status(202);
    worker.stop().await;
}

#[shared_testing::test]
async fn a_test_that_no_worker_could_begin_for_a_quarter_of_an_hour_expires() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let told = post(&ada, 1).await.status(202);
    stage.clock.advance(Duration::from_secs(900));
    let worker = start_worker(&stage);
    let told = ended(&stage, &ada, &told).await;
    assert_eq!((&told["data"]["status"], &told["data"]["result"]), (&json!("expired"), &Value::Null));
    assert_eq!((model.connections(), stage.count("jobs")), (0, 0));
    post(&ada, 1).await.status(202);
    worker.stop().await;
}

#[shared_testing::test]
async fn what_changes_before_the_test_runs_is_seen_by_the_test() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let changed = |member: &str, value: Value, version: u32| {
        let mut line = room("ada", 1, version, &model::url(&model));
        line["room"][member] = value;
        line
    };
    let other_image = json!(format!("sha256:{}", "b".repeat(64)));
    let steps = [
        (changed("state", json!("suspended"), 2), "cancelled", Value::Null),
        (changed("image_digest", other_image, 4), "failed", json!("image_changed")),
        (changed("model", Value::Null, 6), "failed", json!("config_invalid")),
    ];
    for ((line, status, outcome), version) in steps.into_iter().zip([3, 5, 7]) {
        let told = post(&ada, 1).await.status(202);
        import(&stage, &[line]).await.expect("a good line");
        let worker = start_worker(&stage);
        let told = ended(&stage, &ada, &told).await;
        worker.stop().await;
        assert_eq!((&told["data"]["status"], &told["data"]["result"]["outcome"]), (&json!(status), &outcome));
        import(&stage, &[room("ada", 1, version, &model::url(&model))]).await.expect("a good line");
    }
    assert_eq!(model.connections(), 0);
}
