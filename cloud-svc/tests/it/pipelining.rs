//! A client that sends requests and reads no answers: it is waited for, and costs nobody else anything.

use std::time::Duration;

use cloud_svc::service;
use shared_testing::Stage;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// What the buffers of both kernels hold of one connection, several times over.
const FAR_TOO_MUCH: usize = 64 << 20;

#[shared_testing::test]
async fn requests_are_read_no_faster_than_their_answers_and_all_are_answered() {
    let stage = Stage::of(service()).await;
    let request = format!("GET /n HTTP/1.1\r\nHost: x\r\nX-Padding: {}\r\n\r\n", "x".repeat(1_500));
    let mut stream = TcpStream::connect(stage.address()).await.expect("a connection");
    let mut sent = 0;
    // Nobody reads: sooner or later nothing more is taken.
    while sent < FAR_TOO_MUCH {
        let rest = &request.as_bytes()[sent % request.len()..];
        match timeout(Duration::from_secs(1), stream.write(rest)).await {
            Ok(written) => sent += written.expect("the connection stands"),
            Err(_) => break,
        }
    }
    assert!(sent < FAR_TOO_MUCH, "it took everything and kept the answers");
    stage.anyone().get("/v1/service").await.status(200);

    // Whoever reads at last gets an answer to each request, while it goes on sending.
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
