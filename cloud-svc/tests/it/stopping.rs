//! Signals: what comes twice at once is one, and the next one means now.

use std::{process::Command, time::Duration};

use serde_json::json;
use shared_testing::ServiceProcess;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::metrics::value;

/// A service that has half of a request; the other half is to be sent.
async fn in_flight() -> (ServiceProcess, TcpStream, String) {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[]).await;
    let content = json!({"kind": "docs", "blocks": [{"type": "paragraph", "segments": [{"text": "Late."}]}]});
    let body = json!({"name": "Plan", "content": content}).to_string();
    let (token, (first, rest)) = (process.caller("ada").token(), body.split_at(body.len() / 2));
    let head = format!(
        "POST /v1/documents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         idempotency-key: one\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    );
    let mut stream = TcpStream::connect(process.address()).await.expect("a connection");
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    while value(&process.metrics().await, "http_requests_in_flight", &[]) < 1.0 {}
    (process, stream, rest.to_owned())
}

#[shared_testing::test]
async fn a_signal_that_comes_twice_at_once_loses_no_request() {
    let (mut process, mut stream, rest) = in_flight().await;
    process.signal("TERM");
    process.signal("TERM");
    process.signal("INT");
    while process.ready().await == 200 {}
    stream.write_all(rest.as_bytes()).await.expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(process.ended().await.code(), Some(0));
    assert_eq!(process.count("files"), 1);
}

#[shared_testing::test]
async fn a_signal_that_comes_later_ends_it_at_once() {
    let (mut process, _stream, _rest) = in_flight().await;
    let pid = process.pid().to_string();
    let again = async {
        loop {
            let sent = Command::new("kill").args(["-s", "TERM", &pid]).status().expect("kill is there");
            assert!(sent.success(), "our own child can be signalled");
            // The pace of whoever is impatient.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let status = tokio::select! {
        status = process.ended() => status,
        () = again => panic!("it goes on for ever"),
    };
    assert_eq!(status.code(), Some(130));
}
