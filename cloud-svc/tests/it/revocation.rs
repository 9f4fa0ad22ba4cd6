//! A grant that ends while its request waits, or while its body arrives.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_runtime::identity::{self, REVOCATION_DELAY};
use shared_testing::{Caller, Stage, Text as _};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{mcp, samples, uploads};

const NEWEST_TOKEN: &str = "SELECT max(expires_at) AS number FROM grants";

/// A caller whose token outlasts all others, so that the record of its grant shows that it was admitted.
fn lasting(stage: &Stage, caller: Caller) -> Caller {
    caller.claim("exp", stage.now().seconds() + 7_200)
}

async fn until_admitted(stage: &Stage, before: i64) {
    while samples::number(stage, NEWEST_TOKEN).await == before {
        tokio::task::yield_now().await;
    }
}

async fn revoke(stage: &Stage, caller: &Caller) {
    let (grant_id, now) = (caller.claim_text("grant_id"), stage.now());
    let revoked = stage.context.write(move |conn| Ok(identity::revoke(conn, &grant_id, now)?)).await;
    assert!(revoked.expect("the database is there"));
    stage.clock.advance(REVOCATION_DELAY);
}

#[derive(Clone, Copy)]
enum End {
    Revoked,
    Expired,
}

/// What a long poll answers if its grant ends, and something happens, while it waits.
async fn answer_of_a_late_poll(at_mcp: bool, end: End) -> shared_testing::Response {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let before = samples::number(&stage, NEWEST_TOKEN).await;
    let eve = lasting(&stage, stage.caller("eve"));
    let waiting = async {
        if at_mcp {
            let arguments = json!({"cursor": cursor, "wait_seconds": 20});
            mcp::message(&eve, "tools/call", json!({"name": "list_changes", "arguments": arguments})).await
        } else {
            eve.get(format!("/v1/changes?cursor={cursor}&wait_seconds=20")).await
        }
    };
    let meanwhile = async {
        until_admitted(&stage, before).await;
        match end {
            End::Revoked => revoke(&stage, &eve).await,
            End::Expired => stage.clock.advance(Duration::from_secs(7_300)),
        }
        samples::create(&stage.caller("bob"), "Secret").await;
    };
    let (answer, ()) = tokio::join!(waiting, meanwhile);
    assert!(!answer.body().contains("Secret"), "{answer}");
    answer
}

#[shared_testing::test]
async fn a_waiting_read_tells_nothing_to_a_grant_that_has_ended() {
    for at_mcp in [false, true] {
        let refused = answer_of_a_late_poll(at_mcp, End::Revoked).await;
        refused.refused(401, "invalid_token");
        let refused = answer_of_a_late_poll(at_mcp, End::Expired).await;
        refused.refused(401, "invalid_token");
    }
}

/// Sends a request whose body is cut in two by the end of its grant, and returns the answer.
async fn cut_by_the_end(stage: &Stage, caller: &Caller, head: &str, body: &[u8]) -> String {
    let before = samples::number(stage, NEWEST_TOKEN).await;
    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    let (token, length) = (caller.token(), body.len());
    let head = format!(
        "{head} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\
         Connection: close\r\nIdempotency-Key: k\r\n{}",
        stage.address(),
        if head.starts_with("POST") { "Content-Type: application/json\r\n" } else { "" },
    );
    let (first, rest) = body.split_at(length / 2);
    stream.write_all(format!("{head}\r\n").as_bytes()).await.expect("sent");
    stream.write_all(first).await.expect("sent");
    until_admitted(stage, before).await;
    revoke(stage, caller).await;
    stream.write_all(rest).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8(answer).expect("text")
}

#[shared_testing::test]
async fn a_command_is_not_done_for_a_grant_that_ended_while_its_body_arrived() {
    let stage = Stage::of(service()).await;
    samples::create(&stage.caller("ada"), "Plan").await;
    let eve = lasting(&stage, stage.caller("eve"));
    let body = json!({"name": "Late"}).to_string();
    let answer = cut_by_the_end(&stage, &eve, "POST /v1/folders", body.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 401 ") && answer.contains("The token's grant is revoked."), "{answer}");
    assert_eq!(stage.count("files"), 1);
}

#[shared_testing::test]
async fn a_chunk_is_not_counted_for_a_grant_that_ended_while_it_arrived() {
    let stage = Stage::of(service()).await;
    let upload: Value =
        uploads::begin(&stage.caller("eve"), uploads::claim(b"late")).await.status(200)["upload"].clone();
    let eve = lasting(&stage, stage.caller("eve"));
    let head = format!("PUT /v1/uploads/{}/chunks/0", upload["id"].text());
    let answer = cut_by_the_end(&stage, &eve, &head, b"late").await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let counted = "SELECT max(next_chunk_index) AS number FROM uploads";
    assert_eq!(samples::number(&stage, counted).await, 0);
}
