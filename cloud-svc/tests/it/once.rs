//! A command happens once: with parallel duplicates, with Redis stopped or emptied, and when the service is killed.

use std::{cell::RefCell, time::Duration};

use serde_json::{Value, json};
use shared_runtime::state::redis_link::RedisSettings;
use shared_testing::{Caller, Request, Response, ServiceProcess, Stage, servers::Redis};

fn create(caller: &Caller, key: &str) -> Request {
    let content = json!({"kind": "docs", "blocks": [{"type": "paragraph", "segments": [{"text": "Once."}]}]});
    caller.post("/v1/documents").key(key).json(json!({"name": "Plan", "content": content}))
}

/// Sends all requests at the same time. On a slow machine the first may take longer than the others wait for it: those
/// are told so, and are sent again, as a client would.
async fn together(requests: impl IntoIterator<Item = Request>) -> Vec<Response> {
    futures_util::future::join_all(requests.into_iter().map(answered)).await
}

async fn answered(request: Request) -> Response {
    loop {
        let response = request.clone().await;
        if response["error"]["code"] != "idempotency_in_progress" {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// All answers are the same; all but one are marked as replays.
fn one_answer(answers: Vec<Response>) {
    let replays = answers.iter().filter(|response| response["replayed"] == true).count();
    assert_eq!(replays, answers.len() - 1, "all but one are replays");
    let mut payloads: Vec<Value> = answers.into_iter().map(|response| payload(response.status(200))).collect();
    payloads.dedup();
    assert_eq!(payloads.len(), 1, "one answer for all: {payloads:#?}");
}

fn payload(response: Response) -> Value {
    let mut json = response.json().clone();
    let map = json.as_object_mut().expect("an answer is an object");
    map.retain(|name, _| name != "request_id" && name != "replayed");
    json
}

#[shared_testing::test]
async fn twenty_parallel_requests_with_one_key_create_one_file() {
    let stage = Stage::of(cloud_svc::service()).await;
    let ada = stage.caller("ada");
    one_answer(together((0..20).map(|_| create(&ada, "one"))).await);
    assert_eq!((stage.count("files"), stage.count("versions")), (1, 1));
}

#[shared_testing::test]
async fn twenty_parallel_requests_create_one_file_while_redis_is_stopped() {
    let redis = RefCell::new(Redis::start());
    let url = redis.borrow().url.clone();
    let stage =
        Stage::of(cloud_svc::service()).settings(|settings| settings.redis = Some(RedisSettings::at(url))).await;
    let ada = stage.caller("ada");
    let stopped_in_the_middle = async {
        // The first request has stored its key.
        while redis.borrow().keys() == 0 {
            tokio::task::yield_now().await;
        }
        redis.borrow_mut().kill();
    };
    let requests = together((0..20).map(|_| create(&ada, "one")));
    let (answers, ()) = tokio::join!(requests, stopped_in_the_middle);
    one_answer(answers);
    let late = create(&ada, "one").await.status(200);
    assert_eq!(late["replayed"], true);
    assert_eq!(stage.count("files"), 1);
}

#[shared_testing::test]
async fn a_retry_after_redis_was_emptied_is_a_replay() {
    let redis = Redis::start();
    let url = redis.url.clone();
    let stage =
        Stage::of(cloud_svc::service()).settings(|settings| settings.redis = Some(RedisSettings::at(url))).await;
    let ada = stage.caller("ada");
    let first = create(&ada, "one").await.status(200);
    redis.flush_all();
    let mut answers = together((0..19).map(|_| create(&ada, "one"))).await;
    answers.push(first);
    one_answer(answers);
    assert_eq!(stage.count("files"), 1);
}

#[shared_testing::test]
async fn a_retry_after_the_service_was_killed_between_commit_and_answer_is_a_replay() {
    let hang = [("FAILPOINTS", "idempotency::committed=return")];
    let mut service = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &hang).await;
    let ada = service.caller("ada");
    tokio::select! {
        biased;
        response = create(&ada, "one").send() => panic!("the service was to hang after the commit: {response:?}"),
        () = async {
            while service.count("files") == 0 {
                tokio::task::yield_now().await;
            }
        } => service.kill(),
    }

    service.start(&[]).await;
    let retried = create(&ada, "one").await.status(200);
    assert_eq!(retried["replayed"], true, "{retried}");
    let mut answers = together((0..19).map(|_| create(&ada, "one"))).await;
    answers.retain(|response| payload(response.clone()) == payload(retried.clone()));
    assert_eq!((answers.len(), service.count("files")), (19, 1));
}

#[shared_testing::test]
async fn a_client_that_lost_the_answer_can_ask_whether_its_command_happened() {
    let stage = Stage::of(cloud_svc::service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let before = ada.get("/v1/idempotency/a%2Fb").await.status(200);
    assert_eq!((&before["idempotency_key"], &before["commands"]), (&json!("a/b"), &json!([])));

    let created = create(&ada, "a/b").await.status(200);
    let response = ada.get("/v1/idempotency/a%2Fb").await.status(200);
    let command = &response["commands"][0];
    assert_eq!(command["operation"], "create_document", "{response}");
    assert_eq!((&command["state"], &command["status"]), (&json!("completed"), &json!(200)));
    assert_eq!(command["answer"]["file"], created["file"]);
    assert_eq!(command["completed_at"], json!(stage.now()));
    assert_eq!(bob.get("/v1/idempotency/a%2Fb").await.status(200)["commands"], json!([]), "another's key is another");

    ada.get("/v1/idempotency/not%20a%20key").await.refused(404, "not_found");
    stage.clock.advance(Duration::from_secs(86_400));
    let later = stage.caller("ada").get("/v1/idempotency/a%2Fb").await.status(200);
    assert_eq!(later["commands"], json!([]), "the key is free again");
}

#[shared_testing::test]
async fn a_command_is_known_to_have_happened_before_its_client_was_answered() {
    let settings = [("FAILPOINTS", "idempotency::committed=return"), ("RATE_LIMITS", "read=1000000")];
    let service = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &settings).await;
    let ada = service.caller("ada");
    let asked = async {
        loop {
            let response = ada.get("/v1/idempotency/one").await.status(200);
            if response["commands"][0]["state"] == "completed" {
                return response;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        biased;
        response = create(&ada, "one").send() => panic!("the service was to hang after the commit: {response:?}"),
        response = asked => assert_eq!(response["commands"][0]["answer"]["file"]["name"], "Plan"),
    }
    ada.post("/v1/documents").key("bad").json(json!({"name": ""})).await.refused(422, "invalid_field");
    assert_eq!(ada.get("/v1/idempotency/bad").await.status(200)["commands"], json!([]), "refused is not happened");
}
