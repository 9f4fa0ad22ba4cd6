//! Tests that a worker runs: progress, results and replays.

use std::time::Duration;

use locker_svc::rooms;
use serde_json::{Value, json};
use shared_model::{Secret, json_reader};
use shared_runtime::import::LineOutcome;
use shared_testing::hostile_server::HostileServer;

use super::{ended, idle_stage, operation_path, path, post, start_worker};
use crate::{
    model_server as model,
    samples::{id, import, room},
};

#[shared_testing::test]
async fn a_test_is_queued_run_and_reported_to_its_owner() {
    let model = model::saying("ready\u{7}");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let response = post(&ada, 1).json(json!({})).await.status(202);
    insta::assert_json_snapshot!(response.redacted(), @r#"
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
    assert_eq!(response.header("retry-after"), "2");
    assert_eq!((response.header("x-ratelimit-limit"), response.header("x-ratelimit-remaining")), ("30", "29"));
    let queued = ada.get(operation_path(&stage, &response)).await.status(200);
    assert_eq!(queued.header("retry-after"), "2");
    assert_eq!(queued["data"]["status"], "queued");

    let worker = start_worker(&stage);
    let response = ended(&stage, &ada, &response).await;
    assert!(!response.has_header("retry-after"));
    let mut redacted = response.redacted();
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
async fn an_unpaid_order_is_reported_and_none_is_created() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let mut line = room("ada", 1, 2, &model::url(&model));
    line["room"]["pending_order_id"] = json!(id("ord", 4));
    import(&stage, &[line]).await.expect("a good line");
    let ada = stage.caller("ada");
    let response = post(&ada, 1).await.status(202);
    let data = &response["data"];
    assert_eq!((&data["status"], &data["order_id"]), (&json!("checkout_queued"), &json!(id("ord", 4))));
    let queued = ada.get(operation_path(&stage, &response)).await.status(200);
    let data = &queued["data"];
    assert_eq!((&data["status"], &data["order_id"]), (&json!("checkout_queued"), &json!(id("ord", 4))));
    let worker = start_worker(&stage);
    assert_eq!(ended(&stage, &ada, &response).await["data"]["status"], "succeeded");
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
    let response = post(&ada, 1).await.status(202);
    let worker = start_worker(&stage);
    let response = ended(&stage, &ada, &response).await;
    assert_eq!(
        (&response["data"]["status"], &response["data"]["result"]["outcome"]),
        (&json!("failed"), &json!("auth_rejected"))
    );
    // The room is free for the next.
    post(&ada, 1).await.status(202);
    worker.stop().await;
}

/// As after a change of `SERVICE_SECRET`.
#[shared_testing::test]
async fn a_key_that_cannot_be_read_fails_the_test_until_the_room_is_imported_again() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let line = room("ada", 1, 2, &model::url(&model));
    let record = json_reader::read::<rooms::RoomRecord>(&line).expect("a good line");
    let other = rooms::key_encryptor(&Secret::from_bytes([8; 32]));
    let imported = stage.context.write(move |conn| Ok(rooms::import(conn, &other, &record)?));
    assert_eq!(imported.await.expect("the database answers"), LineOutcome::Replaced);

    let ada = stage.caller("ada");
    let response = post(&ada, 1).await.status(202);
    let worker = start_worker(&stage);
    let failed = ended(&stage, &ada, &response).await;
    let (data, result) = (&failed["data"], &failed["data"]["result"]);
    assert_eq!((&data["status"], &result["outcome"]), (&json!("failed"), &json!("config_invalid")));
    assert_eq!(result["reason"], "the stored key cannot be read: the operator imports the room again");
    assert_eq!((model.connections(), stage.count("jobs")), (0, 0), "nobody was called");

    assert_eq!(import(&stage, &[line]).await.expect("a good line").replaced, 1);
    let response = post(&ada, 1).await.status(202);
    assert_eq!(ended(&stage, &ada, &response).await["data"]["status"], "succeeded");
    assert_eq!(model::chats(&model), 1);
    worker.stop().await;
}

#[shared_testing::test]
async fn a_test_that_no_worker_could_begin_for_a_quarter_of_an_hour_expires() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let response = post(&ada, 1).await.status(202);
    stage.clock.advance(Duration::from_secs(900));
    let worker = start_worker(&stage);
    let response = ended(&stage, &ada, &response).await;
    assert_eq!((&response["data"]["status"], &response["data"]["result"]), (&json!("expired"), &Value::Null));
    assert_eq!((model.connections(), stage.count("jobs")), (0, 0));
    post(&ada, 1).await.status(202);
    worker.stop().await;
}

#[shared_testing::test]
async fn changes_before_the_test_runs_affect_the_test() {
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
        let response = post(&ada, 1).await.status(202);
        import(&stage, &[line]).await.expect("a good line");
        let worker = start_worker(&stage);
        let response = ended(&stage, &ada, &response).await;
        worker.stop().await;
        assert_eq!((&response["data"]["status"], &response["data"]["result"]["outcome"]), (&json!(status), &outcome));
        import(&stage, &[room("ada", 1, version, &model::url(&model))]).await.expect("a good line");
    }
    assert_eq!(model.connections(), 0);
}
