//! Chunks in an S3-compatible store of another vendor (s3s-fs).

use std::fs;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{
    ServiceProcess, Text as _,
    s3_server::{KEY_ID, SECRET, incomplete_uploads, serve},
};

use super::{CHUNK, begun, bytes, command, link, put, sent};
use crate::samples;

#[shared_testing::test]
async fn chunks_go_to_the_bucket_and_come_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("files")).expect("a bucket");
    let endpoint = format!("http://{}", serve(folder.path()));
    let environment = [
        ("BLOB_STORE", "s3://files/eu"),
        ("AWS_ACCESS_KEY_ID", KEY_ID),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
    ];
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), service(), &environment).await;
    let ada = process.caller("ada");
    let whole = bytes(2 * CHUNK + 77);
    let id = begun(&ada, &whole).await;
    put(&ada, &id, 0, &whole[..CHUNK - 1]).await.refused(422, "invalid_field");
    sent(&ada, &id, &whole).await;
    put(&ada, &id, 0, &whole[..CHUNK]).await.status(200);
    let objects = folder.path().join(format!("files/eu/uploads/{id}"));
    assert_eq!(fs::read_dir(&objects).expect("the prefix is kept").count(), 3);
    assert_eq!(incomplete_uploads(folder.path()), 0);
    let completed = command(&ada, &id, "complete").await.status(200);
    let link = link(&ada, &samples::id(&completed), json!({})).await;
    let path = link["url"].text().split_once("/v1/").expect("a path").1.to_owned();
    let fetched = process.anyone().get(format!("/v1/{path}"));
    assert!(fetched.clone().await.status(200).bytes() == whole);
    let range = format!("bytes={}-{}", CHUNK - 2, 2 * CHUNK + 1);
    assert!(fetched.header("range", range).await.status(206).bytes() == &whole[CHUNK - 2..=2 * CHUNK + 1]);
}
