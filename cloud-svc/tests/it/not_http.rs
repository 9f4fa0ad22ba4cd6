//! Requests that are not valid HTTP are refused with the same body as all others.

use std::time::Duration;

use cloud_svc::service;
use serde_json::Value;
use shared_testing::Stage;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

#[shared_testing::test]
async fn refusals_before_routing_have_the_common_body() {
    let stage = Stage::of(service()).await;
    let many_headers = (0..200).map(|n| format!("x-{n}: y\r\n")).collect::<String>();
    for (status, request) in [
        (400, "GET /x HTTP/1.1\r\n\r\n".to_owned()),
        (400, "GET /x HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n".to_owned()),
        (400, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: some\r\n\r\n".to_owned()),
        (400, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd".to_owned()),
        (
            400,
            "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                .to_owned(),
        ),
        (400, "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned()),
        (400, "\u{16}\u{3}\u{1}\r\n\r\n".to_owned()),
        (431, format!("GET /x HTTP/1.1\r\nHost: x\r\n{many_headers}\r\n")),
    ] {
        let (head, body) = exchange(&stage, request.as_bytes()).await;
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {head}");
        assert!(head.contains("\r\ncontent-type: application/json\r\n"), "{head}");
        let body: Value = serde_json::from_str(&body).expect("one JSON body, whole");
        assert_eq!(body["error"]["code"], "invalid_request");
        assert_eq!(body["error"]["next_action"]["type"], "correct_request");
        let id = body["error"]["request_id"].as_str().expect("an id");
        assert!(head.contains(&format!("\r\nx-request-id: {id}\r\n")), "{head}");
    }
}

#[shared_testing::test]
async fn garbage_after_a_valid_request_is_refused_after_its_answer() {
    let stage = Stage::of(service()).await;
    let (head, rest) = exchange(&stage, b"GET /n HTTP/1.1\r\nHost: x\r\n\r\nGET /x HTTP/1.1\r\na b: c\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 404 "), "{head}");
    let (_, refusal) = rest.split_once("HTTP/1.1 400 ").expect("another answer");
    let (_, body) = refusal.split_once("\r\n\r\n").expect("a head");
    let body: Value = serde_json::from_str(body).expect("one JSON body, whole");
    assert_eq!(body["error"]["code"], "invalid_request");
}

/// Nobody reads the body of such a request. What is in it must not be taken for the next request.
#[shared_testing::test]
async fn a_request_without_a_route_is_answered_before_its_body_and_ends_the_connection() {
    let stage = Stage::of(service()).await;
    let inside = "GET /v1/service HTTP/1.1\r\nHost: x\r\n\r\n";
    let whole = format!("Content-Length: {}", inside.len());
    for (line, status) in [("POST /no/such/route", 404), ("PATCH /v1/documents", 405)] {
        for framing in [whole.as_str(), "Content-Length: 1000000000", "Transfer-Encoding: chunked"] {
            let request = format!("{line} HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n{inside}");
            let (head, body) = exchange(&stage, request.as_bytes()).await;
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{line}, {framing}: {head}");
            assert!(is_last(&head), "{line}, {framing}: {head}");
            serde_json::from_str::<Value>(&body).expect("one JSON body, and no second answer");
        }
    }
}

#[shared_testing::test]
async fn a_request_without_a_route_and_without_a_body_keeps_the_connection() {
    let stage = Stage::of(service()).await;
    let last = "GET /v1/service HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for framing in ["", "Content-Length: 0\r\n"] {
        let request = format!("POST /no/such/route HTTP/1.1\r\nHost: x\r\n{framing}\r\n{last}");
        let (head, rest) = exchange(&stage, request.as_bytes()).await;
        assert!(head.starts_with("HTTP/1.1 404 ") && !is_last(&head), "{head}");
        assert!(rest.contains("HTTP/1.1 200 "), "{rest}");
    }
}

/// Whether no other answer follows on this connection.
fn is_last(head: &str) -> bool {
    head.to_ascii_lowercase().contains("\r\nconnection: close\r\n")
}

/// Sends these bytes, and reads until the service closes the connection.
async fn exchange(stage: &Stage, request: &[u8]) -> (String, String) {
    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    stream.write_all(request).await.expect("the connection stands");
    let mut answer = Vec::new();
    let read = timeout(Duration::from_secs(10), stream.read_to_end(&mut answer));
    read.await.expect("the service hangs up").expect("an end");
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (format!("{head}\r\n"), body.to_owned())
}
