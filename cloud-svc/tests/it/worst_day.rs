//! Edits when the service is killed between commit and answer, and with several processes on one workspace.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, ServiceProcess, Text, servers, together};

use crate::samples;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");

/// The command with a key, so that a retry is recognized.
fn keyed(caller: &Caller, path: &str, etag: &str, body: &Value) -> Request {
    caller.post(path).key("retried").header("if-match", etag).json(body.clone())
}

/// Sends a command to a service that hangs after the commit, and kills the service.
async fn killed_after_commit(cloud: &mut ServiceProcess, request: impl Fn(&Caller) -> Request) {
    let before = cloud.count("idempotency");
    cloud.kill();
    cloud.start(&[("FAILPOINTS", "idempotency::committed=return")]).await;
    let ada = cloud.caller("ada");
    tokio::select! {
        biased;
        response = request(&ada).send() => panic!("the service was to hang after the commit: {response:?}"),
        () = async {
            while cloud.count("idempotency") == before {
                tokio::task::yield_now().await;
            }
        } => cloud.kill(),
    }
    cloud.start(&[]).await;
}

#[shared_testing::test]
async fn the_retry_of_every_edit_after_a_kill_is_a_replay() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), &[]).await;
    for verb in ["edit-plans", "apply", "move", "rename", "trash", "purge", "comments"] {
        let ada = cloud.caller("ada");
        let id = samples::id(&samples::document_of(&ada, &["one"]).await);
        let folder = samples::folder(&ada, "Folder", None).await;
        let (mut path, mut body) = (format!("/v1/files/{id}/{verb}"), json!({}));
        match verb {
            "edit-plans" => {
                body = json!({"operations": [
                    {"op": "insert_block", "block": {"type": "divider", "segments": []}},
                    {"op": "delete_block", "block_id": "b0"},
                ]})
            }
            "apply" => path = samples::plan(&ada, &id, "two").await["apply_url"].text().to_owned(),
            "move" => body = json!({"parent_id": folder}),
            "rename" => body = json!({"name": "Renamed"}),
            "comments" => body = json!({"text": "Is that so?"}),
            "purge" => drop(samples::command(&ada, &id, "trash", json!({})).await.await.status(200)),
            _ => {}
        }
        let etag = samples::etag(&ada, &id).await;
        killed_after_commit(&mut cloud, |caller| keyed(caller, &path, &etag, &body)).await;
        let ada = cloud.caller("ada");
        let sequence = async || ada.get("/v1/workspaces").await.status(200)["workspaces"][0]["change_sequence"].clone();
        let before = sequence().await;
        let retried = keyed(&ada, &path, &etag, &body).await.status(200);
        assert_eq!(retried["replayed"], true, "{verb}: {retried}");
        assert_eq!(sequence().await, before, "{verb}: the retry changes nothing");
        let other_key = ada.post(&path).fresh_key().header("if-match", etag.as_str()).json(body.clone()).await;
        if verb != "comments" && verb != "edit-plans" {
            assert!(other_key.status >= 400, "{verb}: it has happened: {other_key}");
        }
    }
}

/// How often each outcome occurs among the answers.
fn outcomes(answers: &[Response]) -> Vec<(String, usize)> {
    let mut outcomes = std::collections::BTreeMap::new();
    for answer in answers {
        let outcome = answer["error"]["code"].as_str().map_or_else(|| answer.status.to_string(), str::to_owned);
        *outcomes.entry(outcome).or_insert(0) += 1;
    }
    outcomes.into_iter().collect()
}

/// PostgreSQL only: a SQLite file is served by one process.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn two_processes_apply_one_plan_and_make_no_cycle() {
    let one = ServiceProcess::on(PROGRAM, service(), Some(servers::needed()), &[]).await;
    let other = one.beside(&[]).await;
    let (here, there) = (one.caller("ada"), other.caller("ada"));
    let id = samples::id(&samples::document_of(&here, &["one"]).await);
    let mut plans = Vec::new();
    for number in 0..10 {
        plans.push(samples::plan(if number % 2 == 0 { &here } else { &there }, &id, "more").await);
    }
    let etag = samples::etag(&there, &id).await;
    let apply = |caller: &Caller, plan: &Value| {
        caller.post(plan["apply_url"].text()).fresh_key().header("if-match", etag.as_str()).json(json!({}))
    };
    let all = plans.iter().flat_map(|plan| [apply(&here, plan), apply(&there, plan)]);
    let answers = together(all).await;
    let wins = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(wins, 1, "{:?}", outcomes(&answers));
    assert_eq!(one.count("versions"), 2);

    for _ in 0..5 {
        let (a, b) = (samples::folder(&here, "A", None).await, samples::folder(&there, "B", None).await);
        let forth = samples::command(&here, &a, "move", json!({"parent_id": b})).await;
        let back = samples::command(&there, &b, "move", json!({"parent_id": a})).await;
        let answers = together([forth, back]).await;
        let expected = [("200".to_owned(), 1), ("parent_cycle".to_owned(), 1)];
        assert_eq!(outcomes(&answers), expected);
    }
}
