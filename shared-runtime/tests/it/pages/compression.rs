//! Documents that are the same for everyone are sent as gzip, and nothing else is.

use std::io::Read as _;

use flate2::read::GzDecoder;
use shared_testing::{Caller, Response, Stage};

use super::service;

async fn gzipped(who: &Caller, path: &str) -> Response {
    who.get(path).header("accept-encoding", "br;q=0.9, gzip").await.status(200)
}

fn unzipped(response: &Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(response.bytes()).read_to_end(&mut bytes).expect("gzip");
    bytes
}

/// The paths of the style sheet and the script.
async fn assets(who: &Caller) -> Vec<String> {
    let page = who.get("/about").await.body();
    let paths = page.split("\"/assets/").skip(1).filter_map(|rest| rest.split('"').next());
    paths.map(|name| format!("/assets/{name}")).collect()
}

#[shared_testing::test]
async fn public_documents_are_sent_as_gzip_to_who_takes_it() {
    let stage = Stage::of(service()).await;
    let anyone = stage.anyone();
    let documents = ["/openapi.json", "/docs", "/docs/read_picture", "/llms.txt", "/changelog.md"].map(str::to_owned);
    let assets = assets(&anyone).await;
    assert_eq!(assets.len(), 3, "{assets:?}");
    for path in documents.iter().chain(&assets) {
        let plain = anyone.get(path).await.status(200);
        let refused = anyone.get(path).header("accept-encoding", "gzip;q=0").await.status(200);
        for plain in [&plain, &refused] {
            assert!(!plain.has_header("content-encoding"), "{path}: {plain}");
        }
        let small = gzipped(&anyone, path).await;
        assert_eq!(small.header("content-encoding"), "gzip", "{path}");
        assert_eq!(small.header("content-type"), plain.header("content-type"), "{path}");
        assert!(small.bytes().len() < plain.bytes().len(), "{path}");
        assert!(unzipped(&small) == plain.bytes(), "{path}");
        // A second time it comes from memory.
        assert_eq!(gzipped(&anyone, path).await.bytes(), small.bytes(), "{path}");
        for response in [&plain, &small] {
            assert_eq!(response.header("vary"), "accept-encoding", "{path}");
        }
    }
}

#[shared_testing::test]
async fn each_coding_of_a_document_has_its_own_tag() {
    let stage = Stage::of(service()).await;
    let anyone = stage.anyone();
    for path in ["/openapi.json", "/docs", "/llms.txt"] {
        let (plain, small) = (anyone.get(path).await.status(200), gzipped(&anyone, path).await);
        let (plain, small) = (plain.header("etag"), small.header("etag"));
        assert_ne!(plain, small, "{path}");
        for (accepted, tag, status) in
            [("gzip", small, 304), ("identity", plain, 304), ("gzip", plain, 200), ("identity", small, 200)]
        {
            let known = anyone.get(path).header("accept-encoding", accepted).header("if-none-match", tag);
            let answer = known.await.status(status);
            assert_eq!(answer.header("vary"), "accept-encoding", "{path}");
            assert_eq!(answer.has_header("content-encoding"), (accepted, status) == ("gzip", 200), "{path}: {answer}");
        }
    }
}

#[shared_testing::test]
async fn what_is_for_one_caller_is_never_compressed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    for request in [
        ada.get("/v1/picture"),
        ada.get("/v1/nowhere"),
        stage.anyone().get("/v1/picture"),
        browser.get("/w"),
        browser.get("/about"),
        browser.get("/docs/no_such_operation"),
    ] {
        let answer = request.header("accept-encoding", "gzip").await;
        assert!(!answer.has_header("content-encoding"), "{answer}");
    }
}
