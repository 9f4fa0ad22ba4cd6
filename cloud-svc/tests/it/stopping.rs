//! Stopping: two signals at once count as one, a later one means now, and no connection in use is broken.

use std::{net::SocketAddr, process::Command, time::Duration};

use serde_json::json;
use shared_testing::ServiceProcess;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::metrics::value;

const CONNECTIONS: usize = 32;

/// A service that has received half of a request.
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
            // A user who presses Ctrl-C again is not faster.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let status = tokio::select! {
        status = process.ended() => status,
        () = again => panic!("it goes on forever"),
    };
    assert_eq!(status.code(), Some(130));
}

#[shared_testing::test]
async fn each_connection_in_use_is_closed_with_its_last_answer() {
    // A busy machine may need as long to serve each client.
    let environment = [("RATE_LIMITS", "public=1000000"), ("FAILPOINTS", "shutdown::last_answers_ms=return(20000)")];
    let mut cloud = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &environment).await;
    let address = cloud.address();
    let (begun, mut all_begun) = tokio::sync::mpsc::channel(CONNECTIONS);
    let clients: Vec<_> = (0..CONNECTIONS).map(|_| tokio::spawn(use_until_told(address, begun.clone()))).collect();
    for _ in 0..CONNECTIONS {
        all_begun.recv().await.expect("every client begins");
    }
    cloud.signal("TERM");
    for client in clients {
        client.await.expect("the last answer says that the connection ends");
    }
    assert!(cloud.ended().await.success());
}

/// Sends requests on one connection until an answer says that it is the last.
async fn use_until_told(address: SocketAddr, begun: tokio::sync::mpsc::Sender<()>) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let mut is_first = true;
    loop {
        stream.write_all(b"GET /v1/service HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("the connection stands");
        let head = read_answer(&mut stream).await;
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        if head.contains("\r\nconnection: close\r\n") {
            return;
        }
        if std::mem::take(&mut is_first) {
            begun.send(()).await.expect("the test listens");
        }
    }
}

/// Reads one answer; returns its head in lower case.
async fn read_answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    loop {
        assert_ne!(stream.read_buf(&mut answer).await.expect("bytes"), 0, "hung up on without a word");
        let text = String::from_utf8_lossy(&answer).to_ascii_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
        let (_, length) = head.split_once("\r\ncontent-length: ").expect("a length");
        let length: usize = length.lines().next().and_then(|digits| digits.parse().ok()).expect("a number");
        if answer.len() == head.len() + 4 + length {
            return format!("{head}\r\n");
        }
    }
}
