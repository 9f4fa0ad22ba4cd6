//! A body has 65 536 bytes at most, whether its length is announced or not.

use locker_svc::service;
use shared_testing::Stage;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    connection_tests::{idle_stage, path},
    model_server as model,
};

/// The number of the specification, not the constant of the code.
const MOST: usize = 65_536;

/// A read, which takes no body.
const SUBSCRIPTIONS: &str = "/api/v1/billing/subscriptions";

/// An empty object and spaces, this many bytes in all.
fn padded(bytes: usize) -> String {
    "{}".to_owned() + &" ".repeat(bytes - 2)
}

#[shared_testing::test]
async fn a_body_of_65_536_bytes_is_read_and_one_more_is_refused() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let send = |bytes| ada.post(path(1)).key("one").body("application/json", padded(bytes));
    send(MOST + 1).await.refused(413, "body_too_large").problems_at(&[""]);
    assert_eq!(stage.count("operations"), 0);
    send(MOST).await.status(202);
}

#[shared_testing::test]
async fn a_chunked_body_of_65_536_bytes_is_read_and_one_more_is_refused() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let line = format!("POST {}", path(1));
    let refused = chunked(&stage, &line, MOST + 1).await;
    assert!(refused.starts_with("HTTP/1.1 413 ") && refused.contains("\"body_too_large\""), "{refused}");
    assert_eq!(stage.count("operations"), 0);
    let accepted = chunked(&stage, &line, MOST).await;
    assert!(accepted.starts_with("HTTP/1.1 202 "), "{accepted}");
}

#[shared_testing::test]
async fn a_read_ignores_json_of_65_536_bytes_and_refuses_one_more_and_another_type() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let send = |media_type, body: String| ada.get(SUBSCRIPTIONS).body(media_type, body);
    send("application/json", padded(MOST + 1)).await.refused(413, "body_too_large").problems_at(&[""]);
    send("application/json", padded(MOST)).await.status(200);
    let refused = send("text/plain", "{}".to_owned()).await.refused(415, "unsupported_media_type");
    refused.problems_at(&["Content-Type"]);
    // A type without a body says nothing.
    send("text/plain", String::new()).await.status(200);

    let line = format!("GET {SUBSCRIPTIONS}");
    let refused = chunked(&stage, &line, MOST + 1).await;
    assert!(refused.starts_with("HTTP/1.1 413 ") && refused.contains("\"body_too_large\""), "{refused}");
    let accepted = chunked(&stage, &line, MOST).await;
    assert!(accepted.starts_with("HTTP/1.1 200 "), "{accepted}");
}

/// The answer to a body of this many bytes in two chunks.
async fn chunked(stage: &Stage, line: &str, bytes: usize) -> String {
    let body = padded(bytes);
    let (one, rest) = body.split_at(MOST / 2);
    let request = format!(
        "{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIdempotency-Key: one\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n\
         {:x}\r\n{one}\r\n{:x}\r\n{rest}\r\n0\r\n\r\n",
        stage.caller("ada").token(),
        one.len(),
        rest.len(),
    );
    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("the connection stands");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an end");
    answer
}
