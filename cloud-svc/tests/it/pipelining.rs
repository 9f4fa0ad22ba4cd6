//! A client that sends requests without reading answers is slowed down and costs others nothing.

use std::time::Duration;

use cloud_svc::service;
use serde_json::json;
use shared_testing::Stage;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// Several times what the kernels buffer for a connection.
const FAR_TOO_MUCH: usize = 64 << 20;

#[shared_testing::test]
async fn requests_are_read_no_faster_than_their_answers_and_all_are_answered() {
    let stage = Stage::of(service()).await;
    let request = format!("GET /n HTTP/1.1\r\nHost: x\r\nX-Padding: {}\r\n\r\n", "x".repeat(1_500));
    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    let mut sent = 0;
    // Nobody reads answers, so at some point the service stops reading requests.
    while sent < FAR_TOO_MUCH {
        let rest = &request.as_bytes()[sent % request.len()..];
        match timeout(Duration::from_secs(1), stream.write(rest)).await {
            Ok(written) => sent += written.expect("the connection stands"),
            Err(_) => break,
        }
    }
    assert!(sent < FAR_TOO_MUCH, "it took everything and kept the answers");
    stage.anyone().get("/v1/service").await.status(200);

    // Once the client reads, it gets an answer to each request, while it continues to send.
    let (mut reader, mut writer) = stream.split();
    let rest = &request.as_bytes()[sent % request.len()..];
    let requests = sent / request.len() + 1;
    let send = async {
        writer.write_all(rest).await.expect("the connection stands");
        writer.shutdown().await.expect("the connection stands");
    };
    let mut answers = Vec::new();
    let read = reader.read_to_end(&mut answers);
    let ((), read) = tokio::join!(send, read);
    read.expect("an end");
    let answers = answers.windows(9).filter(|window| window == b"HTTP/1.1 ").count();
    assert_eq!(answers, requests);
}

#[shared_testing::test]
async fn requests_behind_a_body_wait_for_their_turn() {
    let stage = Stage::of(service()).await;
    let token = stage.caller("ada").token();
    let content = json!({"kind": "docs", "blocks": [{"type": "paragraph", "segments": [{"text": "x".repeat(5_000)}]}]});
    let body = json!({"name": "Plan", "content": content}).to_string();
    let head = format!("Host: x\r\nAuthorization: Bearer {token}\r\n");
    let create = format!("POST /v1/documents HTTP/1.1\r\n{head}Content-Type: application/json\r\nIdempotency-Key: ");
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let sized = format!("{create}one\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let chunked = format!("{create}two\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}");
    let read = format!("GET /v1/documents/file_1 HTTP/1.1\r\n{head}\r\n");
    let last = format!("GET /v1/documents/file_2 HTTP/1.1\r\n{head}Connection: close\r\n\r\n");
    let requests = [&sized, &read, &read, &chunked, &read, &last].map(String::as_str).concat();

    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    let (mut reader, mut writer) = stream.split();
    let mut answers = String::new();
    let (sent, read) = tokio::join!(writer.write_all(requests.as_bytes()), reader.read_to_string(&mut answers));
    sent.expect("the connection stands");
    read.expect("an end");
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 6, "{answers}");
}
