//! `locker-svc export` as an operator uses it.

use std::time::Duration;

use locker_svc::exports::{build::build, manifest};

use super::{build_request, file, stage};
use crate::{
    command_line::{command, locker, output_text},
    samples::id,
};

#[shared_testing::test]
async fn an_operator_builds_lists_and_revokes() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", b"a small package");
    let room = id("room", 1);
    let output = command(&stage, &["export", "build", "--room", &room, "--part-bytes", "8", "--expires-in", "7d"])
        .arg(&path)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", output_text(&output));
    let export = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    stage.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.status(200);

    let output = locker(&stage, &["export", "list"]);
    assert!(
        output_text(&output).contains(&format!("{export} {room} ready      2 parts           15 bytes")),
        "{}",
        output_text(&output)
    );
    let output = locker(&stage, &["export", "revoke", &export]);
    assert!(output_text(&output).contains("revoked"), "{}", output_text(&output));
    stage.caller("ada").get(format!("/api/v1/exports/{export}/parts")).await.refused(404, "export_revoked");
    let output = locker(&stage, &["export", "revoke", &id("exp", 9)]);
    assert_eq!(output.status.code(), Some(1));
    let output = locker(&stage, &["export", "gc"]);
    assert!(output_text(&output).contains("0 expired, 0 abandoned, 0 blobs removed"), "{}", output_text(&output));
    let output = locker(&stage, &["export", "key"]);
    let secret = shared_model::Secret::from_text(shared_testing::SERVICE_SECRET).expect("long enough");
    let key = hex::encode(manifest::signing_key(&secret).verifying_key().as_bytes());
    assert_eq!(output_text(&output).trim(), key);
}

#[shared_testing::test]
async fn the_lifetime_of_an_export_has_an_upper_and_a_lower_bound() {
    let stage = stage().await;
    let path = file(&stage, "package.bin", b"a small package");
    for span in ["0s", "1ns", "101years", "100000000y"] {
        let output = command(&stage, &["export", "build", "--room", &id("room", 1), "--expires-in", span])
            .arg(&path)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{span}: {}", output_text(&output));
    }
    let output = command(&stage, &["export", "build", "--room", &id("room", 1), "--expires-in", "tomorrow"])
        .arg(&path)
        .output()
        .expect("it runs");
    assert!(output_text(&output).contains("must be like 7d or 12h"), "{}", output_text(&output));
    let mut endless = build_request(1, &path, 8);
    endless.expires_in = Some(Duration::MAX);
    let export = build(&stage.context, endless, &mut |_| {}).await.expect("an export");
    stage.caller("ada").get(format!("/api/v1/exports/{}/parts", export.id)).await.status(200);
    let output = locker(&stage, &["export", "list"]);
    assert!(output_text(&output).contains("expires 9999-12-31T23:59:59.999999Z"), "{}", output_text(&output));
}
