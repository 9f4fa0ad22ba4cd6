//! Bodies with false claims, and stuck connections.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cloud_svc::service;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_testing::{Caller, Stage};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{CHUNK, begun, bytes, command, objects, put, status};

fn digest(bytes: &[u8]) -> String {
    format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

/// The head of a chunk's request on the wire.
fn head(caller: &Caller, upload: &str, index: usize, framing: &str) -> Vec<u8> {
    let token = caller.token();
    format!(
        "PUT /v1/uploads/{upload}/chunks/{index} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{framing}\r\n\r\n"
    )
    .into_bytes()
}

/// Sends only these bytes, and reads until the connection is closed.
async fn raw(stage: &Stage, parts: &[&[u8]]) -> String {
    let mut stream = TcpStream::connect(stage.address()).await.expect("connects");
    for part in parts {
        stream.write_all(part).await.expect("written");
    }
    stream.shutdown().await.expect("nothing more comes");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[shared_testing::test]
async fn a_stuck_connection_blocks_nobody() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK);
    let id = begun(&ada, &whole).await;
    let mut stuck = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(stage.address()).await.expect("connects");
        stream.write_all(&head(&ada, &id, 0, &format!("content-length: {CHUNK}"))).await.expect("written");
        stream.write_all(&whole[..CHUNK / 2]).await.expect("written");
        stuck.push(stream);
    }
    put(&ada, &id, 0, &whole).await.status(200);
    command(&ada, &id, "complete").await.status(200);
    // When they continue, they are answered: their upload is completed.
    let mut first = stuck.remove(0);
    first.write_all(&whole[CHUNK / 2..]).await.expect("written");
    let mut answer = vec![0; 12];
    first.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 409");
    drop(stuck);
}

#[shared_testing::test]
async fn a_sender_that_pauses_for_too_long_is_refused() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = begun(&ada, &bytes(CHUNK)).await;
    let mut stream = TcpStream::connect(stage.address()).await.expect("connects");
    stream.write_all(&head(&ada, &id, 0, &format!("content-length: {CHUNK}"))).await.expect("written");
    stream.write_all(&[0; 1000]).await.expect("written");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("must not pause for more than 3 seconds"),
        "{answer}"
    );
    assert_eq!(objects(&stage), 0);
}

#[shared_testing::test]
async fn a_chunk_that_is_cut_off_does_not_count() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK + 1);
    let id = begun(&ada, &whole).await;
    for cut in (0..CHUNK).step_by(65_536).chain([1, CHUNK - 1]) {
        let head = head(&ada, &id, 0, &format!("content-length: {CHUNK}"));
        let answer = raw(&stage, &[&head, &whole[..cut]]).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{cut}: {answer}");
        let there = status(&ada, &id).await;
        assert_eq!((&there["received_bytes"], &there["next_chunk_index"]), (&json!(0), &json!(0)));
    }
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    assert_eq!(objects(&stage), 1);
}

#[shared_testing::test]
async fn a_chunk_has_exactly_its_length() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(CHUNK + 10);
    let id = begun(&ada, &whole).await;
    for wrong in [0, 1, CHUNK - 1] {
        put(&ada, &id, 0, &whole[..wrong]).await.refused(422, "invalid_field").problems_at(&[""]);
    }
    put(&ada, &id, 0, &whole[..CHUNK + 1]).await.refused(413, "body_too_large");
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    for wrong in [0, 9, 11, CHUNK] {
        put(&ada, &id, 1, &whole[..wrong]).await.refused(422, "invalid_field").problems_at(&[""]);
    }
    // With chunked transfer coding, no header announces the length.
    let chunked = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n0\r\n\r\n"].concat();
    let chunked_head = head(&ada, &id, 1, "transfer-encoding: chunked\r\nconnection: close");
    for sent in [9, 11, CHUNK + 1] {
        let answer = raw(&stage, &[&chunked_head, &chunked(&whole[..sent])]).await;
        assert!(answer.starts_with("HTTP/1.1 422"), "{sent}: {answer}");
    }
    assert_eq!(status(&ada, &id).await["next_chunk_index"], 1);
    let answer = raw(&stage, &[&chunked_head, &chunked(&whole[CHUNK..])]).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(objects(&stage), 2);
    command(&ada, &id, "complete").await.status(200);
}

#[shared_testing::test]
async fn a_chunk_with_a_wrong_digest_is_refused() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(100);
    let id = begun(&ada, &whole).await;
    let other = digest(b"other");
    put(&ada, &id, 0, &whole).header("content-digest", &other).await.refused(422, "digest_mismatch");
    for malformed in ["", "sha-256", "sha-256=:x:", "SHA-256=:AAAA:", "sha-256=AAAA"] {
        let refused = put(&ada, &id, 0, &whole).header("content-digest", malformed).await;
        refused.refused(400, "invalid_request").problems_at(&["Content-Digest"]);
    }
    assert_eq!((status(&ada, &id).await["received_bytes"].clone(), objects(&stage)), (json!(0), 0));
    let both = format!("sha-512=:AAAA:, {}", digest(&whole));
    put(&ada, &id, 0, &whole).header("content-digest", &both).await.status(200);
    // The same chunk again, with a wrong digest.
    put(&ada, &id, 0, &whole).header("content-digest", &other).await.refused(422, "digest_mismatch");
    put(&ada, &id, 0, &whole).header("content-digest", digest(&whole)).await.status(200);
}

#[shared_testing::test]
async fn a_chunk_is_bytes_and_nothing_else() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = begun(&ada, b"x").await;
    for (name, value) in [
        ("content-type", "application/json"),
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-encoding", "gzip"),
        ("content-encoding", "identity, gzip"),
    ] {
        let request = put(&ada, &id, 0, b"x");
        let request = if name == "content-type" { request.without_header(name) } else { request };
        request.header(name, value).await.refused(415, "unsupported_media_type");
    }
    put(&ada, &id, 0, b"x")
        .header("content-type", "application/octet-stream")
        .await
        .refused(415, "unsupported_media_type");
    put(&ada, &id, 0, b"x").without_header("content-type").header("content-encoding", "identity").await.status(200);
}
