//! A stop breaks no connection that is in use: every one is told with its last answer.

use std::net::SocketAddr;

use shared_testing::ServiceProcess;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const CONNECTIONS: usize = 32;

#[shared_testing::test]
async fn every_connection_in_use_is_told_with_its_last_answer() {
    let mut cloud =
        ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[("RATE_LIMITS", "public=1000000")])
            .await;
    let address = cloud.address();
    let (begun, mut all_begun) = tokio::sync::mpsc::channel(CONNECTIONS);
    let clients: Vec<_> = (0..CONNECTIONS).map(|_| tokio::spawn(use_until_told(address, begun.clone()))).collect();
    for _ in 0..CONNECTIONS {
        all_begun.recv().await.expect("every client begins");
    }
    cloud.signal("TERM");
    for client in clients {
        client.await.expect("the connection is told of its end");
    }
    assert!(cloud.ended().await.success());
}

/// Asks again and again on one connection until an answer says that it is the last.
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

/// Reads one answer; returns its head in small letters.
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
