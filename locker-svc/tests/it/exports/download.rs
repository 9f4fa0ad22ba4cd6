//! `GET /downloads/{token}`: capabilities, ranges, conditions.

use std::time::Duration;

use locker_svc::exports::{Export, revoke};
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, TestRunner},
};
use sha2::{Digest as _, Sha256};
use shared_runtime::identity;
use shared_testing::{Response, Stage};

use super::{bytes, export, links, stage};

async fn one_part(whole: &[u8]) -> (Stage, Export, String) {
    let stage = stage().await;
    let export = export(&stage, 1, whole, 1 << 30).await;
    let link = links(&stage, &stage.caller("ada"), &export).await.remove(0);
    (stage, export, link)
}

/// The headers that do not differ from request to request.
fn lasting(response: &Response) -> Vec<(String, String)> {
    let passing = |name: &str| name == "x-request-id" || name == "date" || name.contains("ratelimit");
    response.headers().iter().filter(|(name, _)| !passing(name)).cloned().collect()
}

/// Everything that tells one refusal from another, but for the request id.
fn seen(response: &Response) -> (u16, Vec<(String, String)>, serde_json::Value) {
    (response.status, lasting(response), response.redacted())
}

#[shared_testing::test]
async fn a_part_is_sent_as_it_was_stored() {
    let whole = bytes(700_000);
    let (stage, _, link) = one_part(&whole).await;
    let got = stage.anyone().get(&link).await.status(200);
    assert!(got.bytes() == whole);
    let headers: Vec<_> = lasting(&got).iter().map(|(name, value)| format!("{name}: {value}")).collect();
    insta::assert_snapshot!(headers.join("\n"), @r#"
    accept-ranges: bytes
    cache-control: private, no-store, no-transform
    content-disposition: attachment; filename="package.bin"
    content-length: 700000
    content-security-policy: default-src 'none'; sandbox; frame-ancestors 'none'
    content-type: application/octet-stream
    etag: "6e77e29ba1e01725098e6cf6d70f56219c7bf53a84385e1293aa79370a1c90e4"
    referrer-policy: no-referrer
    repr-digest: sha-256=:bnfim6HgFyUJjmz21w9WIZx79TqEOF4Sk6p5NwockOQ=:
    x-content-type-options: nosniff
    "#);
    assert!(got.has_header("x-request-id"));
    assert_eq!((got.header("x-ratelimit-limit"), got.header("x-ratelimit-remaining")), ("600", "599"));
}

#[shared_testing::test]
async fn a_part_may_look_like_an_answer() {
    // Chunks of 256 KiB are written one by one; each of these has the form of an empty refusal of actix-http's.
    let answer = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n";
    let mut chunk = answer.to_vec();
    chunk.resize((256 << 10) - 4, b'x');
    chunk.extend_from_slice(b"\r\n\r\n");
    let whole = [&chunk[..], &chunk, answer, b"\r\n"].concat();
    let (stage, _, link) = one_part(&whole).await;
    let sent = stage.anyone().get(&link).await.status(200);
    assert_eq!(sent.bytes(), whole);
}

#[shared_testing::test]
async fn head_returns_the_headers_of_get_without_a_body() {
    let (stage, _, link) = one_part(&bytes(300_000)).await;
    let (get, head) = (stage.anyone().get(&link).await, stage.anyone().head(&link).await);
    assert_eq!((head.status, head.bytes().len(), head.header("content-length")), (200, 0, "300000"));
    assert_eq!(lasting(&head), lasting(&get));
    // A range is defined for GET alone.
    let head = stage.anyone().head(&link).header("range", "bytes=0-9").await;
    assert_eq!((head.status, head.header("content-length")), (200, "300000"));
    let head = stage.anyone().head(&link).header("range", "bytes=300000-").await;
    assert_eq!(head.status, 200);
}

#[shared_testing::test]
async fn every_text_other_than_the_link_is_the_same_404() {
    let stage = stage().await;
    let export = export(&stage, 1, b"two parts here", 8).await;
    let paths = links(&stage, &stage.caller("ada"), &export).await;
    let expected = seen(&stage.anyone().get("/downloads/nonsense").await.refused(404, "grant_invalid"));
    let token = paths[0].strip_prefix("/downloads/").expect("a link");
    let mut others: Vec<String> = Vec::new();
    for at in 0..token.len() {
        for other in ['A', 'B', '-', 'z', '9'] {
            if !token[at..].starts_with(other) {
                others.push(format!("{}{other}{}", &token[..at], &token[at + 1..]));
            }
        }
        others.push(token[..at].to_owned() + &token[at + 1..]);
    }
    others.extend([format!("{token}A"), format!("{token}="), format!("A{token}"), "x".repeat(5000), "%00".into()]);
    // A token made of the halves of two good ones.
    let second = paths[1].strip_prefix("/downloads/").expect("a link");
    others.push(format!("{}{}", &token[..60], &second[60..]));
    for other in others.iter().filter(|other| !other.is_empty()) {
        stage.clock.advance(Duration::from_millis(150));
        let response = stage.anyone().get(format!("/downloads/{other}")).await;
        assert_eq!(seen(&response), expected, "{other}");
    }
}

#[shared_testing::test]
async fn a_link_expires_after_exactly_two_minutes() {
    let (stage, _, link) = one_part(b"a package").await;
    stage.clock.advance(Duration::from_secs(120) - Duration::from_micros(1));
    stage.anyone().get(&link).await.status(200);
    stage.clock.advance(Duration::from_micros(1));
    let expired = stage.anyone().get(&link).await.refused(404, "grant_invalid");
    assert_eq!(seen(&expired), seen(&stage.anyone().get("/downloads/nonsense").await));
    stage.anyone().head(&link).await.status(404);
}

#[shared_testing::test]
async fn a_revoked_export_can_no_longer_be_downloaded() {
    let (stage, export, link) = one_part(b"a package").await;
    stage.anyone().get(&link).await.status(200);
    revoke(&stage.context, export.id).await.expect("revokes");
    let revoked = stage.anyone().get(&link).await.refused(404, "grant_invalid");
    assert_eq!(seen(&revoked), seen(&stage.anyone().get("/downloads/nonsense").await));
}

#[shared_testing::test]
async fn the_links_of_a_revoked_grant_stop_working() {
    let (stage, _, link) = one_part(b"a package").await;
    let now = stage.now();
    let grant = stage.caller("ada").claim_text("grant_id");
    stage.context.write(move |conn| Ok(identity::revoke(conn, &grant, now)?)).await.expect("revokes");
    stage.clock.advance(identity::REVOCATION_DELAY);
    stage.anyone().get(&link).await.refused(404, "grant_invalid");
}

#[shared_testing::test]
async fn ranges_are_answered_as_rfc_9110_says() {
    let whole = bytes(1000);
    let (stage, _, link) = one_part(&whole).await;
    let get = async |range: &str| stage.anyone().get(&link).header("range", range).await;
    for (range, expected) in [
        ("bytes=0-0", 0..1),
        ("bytes=0-499", 0..500),
        ("bytes=500-", 500..1000),
        ("bytes=-1", 999..1000),
        ("bytes=-5000", 0..1000),
        ("bytes=999-99999999999999999999", 999..1000),
    ] {
        let got = get(range).await.status(206);
        assert!(got.bytes() == &whole[expected.clone()], "{range}");
        let content_range = format!("bytes {}-{}/1000", expected.start, expected.end - 1);
        assert_eq!(got.header("content-range"), content_range, "{range}");
    }
    for range in ["bytes=1000-", "bytes=-0", "bytes=5000-6000"] {
        let got = get(range).await.refused(416, "range_not_satisfiable").problems_at(&["Range"]);
        assert_eq!(got.header("content-range"), "bytes */1000", "{range}");
    }
    for range in ["bytes=0-1,5-6", "bytes=9-1", "bytes=a-b", "items=0-1", "bytes=", "0-1"] {
        let got = get(range).await.status(200);
        assert!(got.bytes() == whole && !got.has_header("content-range"), "{range}");
    }
    let twice = stage.anyone().get(&link).header("range", "bytes=0-1").header("range", "bytes=5-6").await;
    assert_eq!(twice.status, 200);
}

#[shared_testing::test]
async fn if_range_with_another_version_returns_the_whole_part() {
    let whole = bytes(1000);
    let (stage, _, link) = one_part(&whole).await;
    let etag = format!("\"{}\"", hex::encode(Sha256::digest(&whole)));
    let get = async |seen: &str| stage.anyone().get(&link).header("range", "bytes=5-9").header("if-range", seen).await;
    assert_eq!(get(&etag).await.status, 206);
    let other = format!("\"{}\"", "0".repeat(64));
    for seen in [other.as_str(), &format!("W/{etag}"), "Sat, 21 Nov 2026 12:00:00 GMT", "*", ""] {
        let got = get(seen).await.status(200);
        assert!(got.bytes() == whole, "{seen}");
    }
    let twice = stage.anyone().get(&link).header("range", "bytes=5-9").header("if-range", &etag);
    let got = twice.header("if-range", &etag).await.status(200);
    assert!(got.bytes() == whole, "two tags are none");
}

#[shared_testing::test]
async fn a_client_that_has_the_bytes_gets_304() {
    let whole = bytes(1000);
    let (stage, _, link) = one_part(&whole).await;
    let etag = format!("\"{}\"", hex::encode(Sha256::digest(&whole)));
    for seen in [etag.as_str(), "*", &format!("\"x\", W/{etag}")] {
        let request = stage.anyone().get(&link).header("if-none-match", seen).header("range", "bytes=0-1");
        let got = request.await.status(304);
        assert_eq!((got.header("etag"), got.bytes().len()), (etag.as_str(), 0), "{seen}");
    }
    assert_eq!(stage.anyone().get(&link).header("if-none-match", "\"x\"").await.status, 200);
}

#[shared_testing::test]
async fn any_range_returns_the_bytes_at_that_position() {
    let whole = bytes(600_000);
    let (stage, _, link) = one_part(&whole).await;
    let ranges = (0..=600_000_usize, 0..=600_000_usize).prop_filter("not empty", |(a, b)| a != b);
    let mut runner = TestRunner::new(Config { cases: 100, ..Config::default() });
    for _ in 0..100 {
        let (a, b) = ranges.new_tree(&mut runner).expect("a range").current();
        let (from, to) = (a.min(b), a.max(b));
        let header = format!("bytes={from}-{}", to - 1);
        let got = stage.anyone().get(&link).header("range", &header).await.status(206);
        assert!(got.bytes() == &whole[from..to], "{header}");
    }
}

#[shared_testing::test]
async fn a_part_that_is_cut_off_is_not_a_complete_answer_and_is_logged() {
    let (stage, export, link) = one_part(&bytes(600_000)).await;
    stage.expects_failures();
    let folder = stage.folder().join(format!("blobs/exports/{}", export.id));
    let blob = std::fs::read_dir(folder).expect("the folder").next().expect("a blob").expect("a blob").path();
    std::fs::File::options().write(true).open(&blob).expect("opens").set_len(500_000).expect("cut");
    assert!(stage.anyone().get(&link).send().await.is_err(), "the connection is closed before the length is reached");
    assert_eq!(stage.anyone().get(&link).header("range", "bytes=0-9").await.status, 206);
    std::fs::remove_file(blob).expect("removed");
    stage.anyone().get(&link).await.refused(500, "internal_error");
}

#[shared_testing::test]
async fn downloads_are_limited_by_source_address() {
    let stage = Stage::of(locker_svc::service()).settings(|settings| {
        settings.rate_limits.0.push(("download".to_owned(), 2));
    });
    let stage = stage.await;
    for _ in 0..2 {
        stage.anyone().get("/downloads/x").await.refused(404, "grant_invalid");
    }
    stage.anyone().get("/downloads/x").await.refused(429, "rate_limited");
}
