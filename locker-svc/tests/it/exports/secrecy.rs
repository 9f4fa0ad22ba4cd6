//! A link is a secret. It is in no log, however much is logged, in no error body and in no metric.

use locker_svc::service;
use shared_testing::{ServiceProcess, Text as _};

use crate::samples;

#[shared_testing::test]
async fn no_link_is_in_a_log_a_metric_or_an_error() {
    let mut child =
        ServiceProcess::logging(env!("CARGO_BIN_EXE_locker-svc"), service(), &[("RUST_LOG", "trace")]).await;
    let import = child.folder().join("import");
    std::fs::write(&import, samples::subscription("ada", 1, 0).to_string()).expect("written");
    let package = child.folder().join("package.bin");
    std::fs::write(&package, "a small package").expect("written");
    assert!(child.command(&["import"]).arg(&import).status().expect("it runs").success());
    let built = child
        .command(&["export", "build", "--part-bytes", "4", "--room", &samples::id("room", 1)])
        .arg(&package)
        .output()
        .expect("it runs");
    let export = String::from_utf8_lossy(&built.stdout).trim().to_owned();
    let listed = child.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);
    let mut tokens = Vec::new();
    for part in listed["data"]["parts"].as_array().expect("parts") {
        let url = part["download"]["url"].text();
        let token = url.rsplit('/').next().expect("a token").to_owned();
        let path = format!("/downloads/{token}");
        child.anyone().get(&path).await.status(200);
        child.anyone().get(&path).header("range", "bytes=90-").await.refused(416, "range_not_satisfiable");
        child.anyone().head(&path).await.status(200);
        let altered = format!("{path}A");
        let response = child.anyone().get(&altered).await.refused(404, "grant_invalid");
        assert!(!response.body().contains(&token));
        child.anyone().post(&path).await.refused(404, "not_found");
        tokens.push(token);
    }
    let metrics = child.metrics().await;
    assert!(metrics.contains("download_part") && metrics.contains("http_streamed_bytes_total"), "{metrics}");
    child.kill();
    let log = child.log();
    assert!(log.lines().count() > 10, "there is a log to look into");
    for token in tokens {
        // Any sixteen characters of it would be a trace.
        for piece in token.as_bytes().chunks_exact(16).map(String::from_utf8_lossy) {
            assert!(!log.contains(&*piece) && !metrics.contains(&*piece), "a piece of a token is there");
        }
    }
}
