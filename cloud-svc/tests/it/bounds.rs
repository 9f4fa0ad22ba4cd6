//! What one grant, or one address, may have in progress at the same time.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_runtime::state::{
    blobs::MEMORY_OF_A_READ,
    bounds::{ADDRESS_FACTOR, Bound, Holder},
};
use shared_testing::{Caller, Request, Response, Stage, Text as _};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use crate::{
    mcp, samples,
    uploads::{self, link, uploaded},
};

/// Less than a poll waits at most, and than a body may take.
const SOON: Duration = Duration::from_secs(20);

async fn stage() -> Stage {
    let stage = Stage::of(service()).settings(|settings| {
        settings.body_timeout = Duration::from_secs(120);
        for name in ["read", "write", "chunk", "public", "pages", "download"] {
            settings.rate_limits.0.push((name.to_owned(), 1_000_000));
        }
    });
    stage.await
}

/// Sends this much of a request, and nothing more.
async fn begun(stage: &Stage, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    // Otherwise the kernel would take whole answers.
    socket.set_recv_buffer_size(4 * 1024).expect("a size");
    let mut stream = socket.connect(stage.address()).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

fn head(caller: &Caller, target: &str, further: &str) -> String {
    format!("{target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n{further}\r\n", caller.token())
}

/// A request whose body does not arrive.
async fn unfinished_one(stage: &Stage, caller: &Caller) -> TcpStream {
    let head = head(caller, "POST /v1/folders", "Content-Type: application/json\r\nContent-Length: 9\r\n");
    begun(stage, &head).await
}

async fn unfinished(stage: &Stage, caller: &Caller, count: u64) -> Vec<TcpStream> {
    let grant = grant(caller);
    // The answers to earlier requests are taken.
    held(stage, Holder::Grant(&grant), Bound::Requests, |held| held == 0).await;
    let mut streams = Vec::new();
    for _ in 0..count {
        streams.push(unfinished_one(stage, caller).await);
    }
    held(stage, Holder::Grant(&grant), Bound::Requests, |held| held == count).await;
    streams
}

fn grant(caller: &Caller) -> String {
    caller.claim_text("grant_id")
}

/// Waits until a holder holds this much.
// The metric of requests in progress also counts those that are not admitted yet. A test that went on could take the
// place of one, which would then be refused.
async fn held(stage: &Stage, holder: Holder<'_>, bound: Bound, is_enough: impl Fn(u64) -> bool) {
    let reached = async {
        while !is_enough(stage.context.bounds.held(holder, bound)) {
            tokio::task::yield_now().await;
        }
    };
    if timeout(SOON, reached).await.is_err() {
        let (held, metrics) = (stage.context.bounds.held(holder, bound), stage.metrics().await);
        let of_requests = metrics.lines().filter(|line| line.starts_with("http_re") && !line.ends_with(" 0"));
        panic!("{holder:?} holds {held} of {bound:?}:\n{}", of_requests.collect::<Vec<_>>().join("\n"));
    }
}

/// Sends it until the answer has this status.
async fn until(status: u16, request: Request) -> Response {
    let answered = async {
        loop {
            let response = request.clone().await;
            if response.status == status {
                return response;
            }
        }
    };
    timeout(SOON, answered).await.unwrap_or_else(|_| panic!("never {status}"))
}

#[track_caller]
fn refused(response: Response, after_seconds: u64, what: &str) {
    let response = response.refused(429, "too_much_at_once");
    assert_eq!(response["error"]["next_action"], json!({"type": "wait", "after_seconds": after_seconds}));
    assert_eq!(response.header("retry-after"), after_seconds.to_string());
    assert!(response["error"]["message"].text().contains(what), "{response}");
}

fn of_grant(bound: Bound) -> u64 {
    bound.row().of_grant
}

#[shared_testing::test]
async fn a_grant_has_a_bound_of_requests_and_others_do_not_notice() {
    let stage = stage().await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let most = of_grant(Bound::Requests);
    let mut streams = unfinished(&stage, &ada, most).await;
    refused(ada.get("/v1/workspaces").await, 1, "This grant may have 128 requests in progress");
    bob.get("/v1/workspaces").await.status(200);
    // A client that has left frees its place.
    drop(streams.pop());
    until(200, ada.get("/v1/workspaces")).await;
    // A client that has its answer, too.
    streams[0].write_all(b"{\"a\": 1}\n").await.expect("sent");
    let grant = grant(&ada);
    held(&stage, Holder::Grant(&grant), Bound::Requests, |held| held == most - 2).await;
    for _ in 0..2 {
        streams.push(unfinished_one(&stage, &ada).await);
    }
    // None of them was refused.
    held(&stage, Holder::Grant(&grant), Bound::Requests, |held| held == most).await;
}

#[shared_testing::test]
async fn a_call_from_within_a_request_is_no_second_request() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let mut streams = unfinished(&stage, &ada, of_grant(Bound::Requests)).await;
    refused(ada.get("/v1/workspaces").await, 1, "requests in progress");
    drop(streams.pop());
    until(200, ada.get("/v1/workspaces")).await;
    // One place is free, as soon as the service has noticed that the last answer was taken.
    let arguments = json!({"name": "search_files", "arguments": {"name_contains": "x"}});
    let called = until(200, mcp::message(&ada, "tools/call", arguments)).await;
    assert_eq!(called["result"]["isError"], false);
    until(200, stage.browser(&ada).get("/w")).await;
}

#[shared_testing::test]
async fn a_grant_has_a_bound_of_waiting_polls() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let target = format!("/v1/changes?cursor={cursor}&wait_seconds=");
    let mut polls = Vec::new();
    for _ in 0..of_grant(Bound::Polls) {
        polls.push(begun(&stage, &head(&ada, &format!("GET {target}25"), "")).await);
    }
    let grant = grant(&ada);
    held(&stage, Holder::Grant(&grant), Bound::Polls, |held| held == of_grant(Bound::Polls)).await;
    let one_more = ada.get(format!("{target}1"));
    refused(one_more.clone().await, 5, "This grant may have 16 waiting polls");
    // Only waiting is bounded.
    ada.get(format!("{target}0")).await.status(200);
    stage.caller("bob").get(format!("{target}1")).await.status(200);
    let arguments = json!({"cursor": cursor, "wait_seconds": 1});
    let called = mcp::message(&ada, "tools/call", json!({"name": "list_changes", "arguments": arguments})).await;
    let structured: &Value = &called.json()["result"]["structuredContent"];
    assert_eq!(structured["error"]["code"], "too_much_at_once", "{called}");

    drop(polls);
    until(200, one_more).await;
}

#[shared_testing::test]
async fn a_poll_whose_client_sends_nothing_more_is_answered_at_once() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let target = format!("GET /v1/changes?cursor={cursor}&wait_seconds=25");
    let mut poll = begun(&stage, &head(&ada, &target, "")).await;
    poll.shutdown().await.expect("the connection stands");
    let mut answer = String::new();
    timeout(SOON, poll.read_to_string(&mut answer)).await.expect("it does not wait").expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[shared_testing::test]
async fn a_request_behind_a_waiting_poll_is_answered_after_it() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let target = format!("GET /v1/changes?cursor={cursor}&wait_seconds=1");
    let behind = head(&ada, "GET /v1/workspaces", "Connection: close\r\n");
    let mut poll = begun(&stage, &format!("{}{behind}", head(&ada, &target, ""))).await;
    let mut answers = String::new();
    poll.read_to_string(&mut answers).await.expect("an end");
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 2, "{answers}");
}

#[shared_testing::test]
async fn a_grant_has_a_bound_of_bytes_of_bodies() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let most = 2 * 1024 * 1024;
    let head = head(
        &ada,
        "POST /v1/documents",
        &format!("Content-Type: application/json\r\nIdempotency-Key: k\r\nContent-Length: {most}\r\n"),
    );
    let mut streams = Vec::new();
    for _ in 0..of_grant(Bound::Bodies) / most {
        streams.push(begun(&stage, &head).await);
    }
    let grant = grant(&ada);
    // The beginning of each body is not counted.
    held(&stage, Holder::Grant(&grant), Bound::Bodies, |held| held > of_grant(Bound::Bodies) - most).await;
    let large = json!({"name": "x".repeat(1_000_000)});
    let one_more = ada.post("/v1/documents").fresh_key().json(large);
    let refusal = one_more.clone().await;
    refused(refusal, 1, &format!("This grant may have {} bytes of request bodies", of_grant(Bound::Bodies)));
    samples::folder(&ada, "Small", None).await;
    drop(streams);
    until(422, one_more).await;
}

#[shared_testing::test]
async fn a_grant_has_a_bound_of_bytes_of_unread_answers() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    // More than the kernel takes for a client that reads nothing.
    let file = samples::id(&uploaded(&ada, &uploads::bytes(8 * uploads::CHUNK)).await);
    let url = link(&ada, &file, json!({})).await["url"].text().to_owned();
    let path = url.strip_prefix(stage.base_url()).expect("a URL of ours");
    let mut streams = Vec::new();
    for _ in 0..of_grant(Bound::Answers) / MEMORY_OF_A_READ as u64 {
        streams.push(begun(&stage, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await);
    }
    for stream in &streams {
        // All of them have begun: one more would take the place of a late one.
        let mut status = [0; 12];
        stream.peek(&mut status).await.expect("an answer");
        assert_eq!(&status, b"HTTP/1.1 200");
    }
    let refusal = until(429, stage.anyone().get(path)).await;
    refused(refusal, 1, "This grant may have 16777216 bytes of unread answers");
    // What is left of the bound is enough for a short answer.
    ada.get("/v1/workspaces").await.status(200);
    stage.caller("bob").get("/v1/workspaces").await.status(200);
    drop(streams.pop());
    until(200, stage.anyone().get(path)).await;
}

#[shared_testing::test]
async fn a_download_counts_to_the_grant_of_its_link() {
    let stage = stage().await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&uploaded(&ada, &uploads::bytes(9)).await);
    let mut urls = Vec::new();
    for caller in [&ada, &bob] {
        urls.push(link(caller, &file, json!({})).await["url"].text().to_owned());
    }
    let streams = unfinished(&stage, &ada, of_grant(Bound::Requests)).await;
    ada.get("/v1/workspaces").await.status(429);
    refused(stage.anyone().get(&*urls[0]).await, 1, "This grant");
    stage.anyone().get(&*urls[1]).await.status(200);
    drop(streams);
    until(200, stage.anyone().get(&*urls[0])).await;
}

#[shared_testing::test]
async fn an_address_has_bounds_for_requests_without_a_token_and_for_pages() {
    let stage = stage().await;
    let anyone = stage.anyone();
    let most = of_grant(Bound::Requests) * ADDRESS_FACTOR;
    let mut streams = Vec::new();
    for _ in 0..most {
        streams.push(begun(&stage, "GET /v1/service HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n").await);
    }
    held(&stage, Holder::Address("127.0.0.1"), Bound::Requests, |held| held == most).await;
    refused(anyone.get("/v1/service").await, 1, "Your address may have 512 requests in progress");
    let page = anyone.get("/docs").await.status(429);
    assert!(page.header("content-type").starts_with("text/html") && page.header("retry-after") == "1", "{page}");
    // Those who have a grant are counted by it.
    let ada = stage.caller("ada");
    ada.get("/v1/workspaces").await.status(200);
    stage.browser(&ada).get("/w").await.status(200);
    drop(streams);
    until(200, anyone.get("/v1/service")).await;
}
