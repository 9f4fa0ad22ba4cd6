//! Exports in an S3-compatible store that is not ours (s3s-fs), under its own signed links.

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    path::Path,
    process::Command,
};

use hyper_util::{rt::TokioIo, server::conn::auto};
use locker_svc::service;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use sha2::{Digest as _, Sha256};
use shared_testing::{ServiceProcess, Text as _};

use super::bytes;
use crate::samples;

const KEY_ID: &str = "fourfold-test-key";
const SECRET: &str = "a-secret-that-must-never-be-shown";

/// Serves buckets from a folder for as long as the test runs; each folder in it is a bucket.
fn serve(folder: &Path) -> SocketAddr {
    let files = s3s_fs::FileSystem::new(folder).expect("a folder");
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
    let service = service.build();
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    listener.set_nonblocking(true).expect("it can be polled");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = auto::Builder::new(hyper_util::rt::TokioExecutor::new());
                    // A client that hangs up is no matter of the test.
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
    });
    address
}

fn succeeded(command: &mut Command, environment: &[(&'static str, &str)]) -> String {
    let output = command.envs(environment.iter().copied()).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    assert!(!error.contains(SECRET), "{error}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[shared_testing::test]
async fn parts_go_to_the_bucket_and_come_from_it_under_its_own_signature() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("rooms")).expect("a bucket");
    let endpoint = format!("http://{}", serve(folder.path()));
    let environment = [
        ("BLOB_STORE", "s3://rooms/eu/west"),
        ("AWS_ACCESS_KEY_ID", KEY_ID),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("RUST_LOG", "trace"),
    ];
    let quiet = [&environment[..6], &[("RUST_LOG", "info")]].concat();
    let child = ServiceProcess::logging(env!("CARGO_BIN_EXE_locker-svc"), service(), &environment).await;
    let import = child.folder().join("import");
    fs::write(&import, samples::subscription("ada", 1, 0).to_string()).expect("written");
    succeeded(child.command(&["import"]).arg(&import), &quiet);

    // Parts of two pieces of an upload each, and a shorter last one.
    let whole = bytes(20_000_000);
    let package = child.folder().join("package.bin");
    fs::write(&package, &whole).expect("written");
    let room = samples::id("room", 1);
    let build = ["export", "build", "--room", &room, "--part-bytes", "9MiB"];
    let export = succeeded(child.command(&build).arg(&package), &quiet);
    assert!(folder.path().join(format!("rooms/eu/west/exports/{export}")).is_dir(), "the prefix is kept");

    let listed = child.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);
    let parts = listed["data"]["parts"].as_array().expect("parts").clone();
    assert_eq!(parts.len(), 3);
    shared_runtime::base::tls::install_cryptography();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let mut fetched = Vec::new();
    for part in &parts {
        let url = part["download"]["url"].text();
        assert!(url.starts_with(&format!("{endpoint}/rooms/eu/west/exports/{export}/")), "{url}");
        assert!(url.contains("X-Amz-Expires=120"), "{url}");
        let got = client.get(url).send().await.expect("an answer");
        assert_eq!(got.status(), 200);
        let got = got.bytes().await.expect("bytes");
        assert_eq!(part["sha256"].text(), hex::encode(Sha256::digest(&got)));
        fetched.extend_from_slice(&got);
    }
    assert!(fetched == whole);

    let url = parts[1]["download"]["url"].text();
    let range = client.get(url).header("range", "bytes=5-9").send().await.expect("an answer");
    assert_eq!(range.status(), 206);
    let first = 9 << 20;
    assert!(range.bytes().await.expect("bytes") == whole[first + 5..first + 10]);
    let unsigned = url.split('?').next().expect("a path");
    let forged = url.replace("X-Amz-Expires=120", "X-Amz-Expires=121");
    for bad in [unsigned, &forged] {
        assert_eq!(client.get(bad).send().await.expect("an answer").status(), 403, "{bad}");
    }

    succeeded(&mut child.command(&["export", "revoke", &export]), &quiet);
    assert_eq!(client.get(url).send().await.expect("an answer").status(), 404, "its bytes are gone");
    let log = child.log();
    let signature = url.rsplit("X-Amz-Signature=").next().expect("a signature");
    assert!(!log.contains(SECRET) && !log.contains(signature) && log.lines().count() > 10);
}

#[shared_testing::test]
async fn a_bucket_that_cannot_be_reached_is_told_and_names_no_secret() {
    let child = ServiceProcess::of(env!("CARGO_BIN_EXE_locker-svc"), service(), &[]).await;
    let import = child.folder().join("import");
    fs::write(&import, samples::subscription("ada", 1, 0).to_string()).expect("written");
    succeeded(child.command(&["import"]).arg(&import), &[]);
    let room = samples::id("room", 1);
    let nobody = TcpListener::bind(("127.0.0.1", 0)).expect("a free port").local_addr().expect("an address");
    let output = child
        .command(&["export", "build", "--room", &room])
        .arg(&import)
        .envs([("BLOB_STORE", "s3://rooms"), ("AWS_ACCESS_KEY_ID", KEY_ID), ("AWS_SECRET_ACCESS_KEY", SECRET)])
        .envs([("AWS_REGION", "eu-west-1"), ("AWS_ALLOW_HTTP", "true")])
        .env("AWS_ENDPOINT", format!("http://{nobody}"))
        .output()
        .expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("blob store") && !error.contains(SECRET), "{error}");
}
