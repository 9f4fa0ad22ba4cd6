//! Exports in an S3-compatible store that is not ours (s3s-fs), under its own signed links.

use std::{
    fs,
    net::TcpListener,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use locker_svc::service;
use sha2::{Digest as _, Sha256};
use shared_testing::{
    ServiceProcess, Text as _,
    s3_server::{KEY_ID, SECRET, incomplete_uploads, serve},
};

use super::bytes;
use crate::samples;

fn succeeded(command: &mut Command, environment: &[(&'static str, &str)]) -> String {
    let output = command.envs(environment.iter().copied()).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    assert!(!error.contains(SECRET), "{error}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn environment<'a>(endpoint: &'a str, log: &'a str) -> [(&'static str, &'a str); 7] {
    [
        ("BLOB_STORE", "s3://rooms/eu/west"),
        ("AWS_ACCESS_KEY_ID", KEY_ID),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT", endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("RUST_LOG", log),
    ]
}

#[shared_testing::test]
async fn parts_are_stored_in_the_bucket_and_downloaded_by_presigned_links() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("rooms")).expect("a bucket");
    let endpoint = format!("http://{}", serve(folder.path()));
    let environment = environment(&endpoint, "trace");
    let quiet = self::environment(&endpoint, "info");
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

    let browser = child.browser(&child.caller("ada"));
    let link = browser.get(format!("/exports/{export}/parts/2")).await.status(303);
    let got = client.get(link.header("location")).send().await.expect("an answer");
    assert!(got.bytes().await.expect("bytes") == whole[2 * first..], "a click on the page downloads the part");

    // By mistake without the settings of the bucket: this command looks for the parts in a folder.
    succeeded(&mut child.command(&["export", "revoke", &export]), &[]);
    let removed = succeeded(&mut child.command(&["export", "gc"]), &quiet);
    assert_eq!(removed, "0 expired, 0 abandoned, 3 blobs removed", "the next one with the settings removes them");
    assert_eq!(client.get(url).send().await.expect("an answer").status(), 404, "its bytes are gone");
    let log = child.log();
    let signature = url.rsplit("X-Amz-Signature=").next().expect("a signature");
    assert!(!log.contains(SECRET) && !log.contains(signature) && log.lines().count() > 10);
}

#[shared_testing::test]
async fn a_killed_build_continues_and_leaves_its_upload_to_the_bucket_s_lifecycle_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("rooms")).expect("a bucket");
    let endpoint = format!("http://{}", serve(folder.path()));
    let environment = environment(&endpoint, "info");
    let child = ServiceProcess::of(env!("CARGO_BIN_EXE_locker-svc"), service(), &environment).await;
    let import = child.folder().join("import");
    fs::write(&import, samples::subscription("ada", 1, 0).to_string()).expect("written");
    succeeded(child.command(&["import"]).arg(&import), &environment);
    let whole = bytes(60_000_000);
    let package = child.folder().join("package.bin");
    fs::write(&package, &whole).expect("written");

    let mut build = child.command(&["export", "build", "--room", &samples::id("room", 1)]);
    build.arg(&package).envs(environment).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = build.spawn().expect("it runs");
    while incomplete_uploads(folder.path()) == 0 {
        assert!(process.try_wait().expect("our own child").is_none(), "it ended before it could be killed");
        thread::sleep(Duration::from_millis(1));
    }
    process.kill().expect("our own child");
    process.wait().expect("our own child");
    let removed = succeeded(&mut child.command(&["export", "gc"]), &environment);
    assert_eq!(removed, "0 expired, 0 abandoned, 0 blobs removed", "it may still be building");
    assert_eq!(incomplete_uploads(folder.path()), 1);
    // The same command continues the killed build.
    let export =
        succeeded(child.command(&["export", "build", "--room", &samples::id("room", 1)]).arg(&package), &environment);
    assert!(export.starts_with("exp_"), "{export}");
    assert_eq!(child.count("exports"), 1, "the killed build, and not a second one");
    assert_eq!(incomplete_uploads(folder.path()), 1, "only the bucket's rule removes what was killed");
    let listed = child.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);
    shared_runtime::base::tls::install_cryptography();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let mut fetched = Vec::new();
    for part in listed["data"]["parts"].as_array().expect("parts") {
        let got = client.get(part["download"]["url"].text()).send().await.expect("an answer");
        fetched.extend_from_slice(&got.bytes().await.expect("bytes"));
    }
    assert!(fetched == whole, "the package is whole");
}

#[shared_testing::test]
async fn an_unreachable_bucket_is_reported_without_a_secret() {
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
