//! `GET /api/v1/exports/{export}/parts`.

use std::time::Duration;

use locker_svc::exports::{build::build, collect_garbage, revoke};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_testing::Text as _;

use super::{build_request, bytes, export, file, links, listing, path_of, stage};
use crate::samples::id;

#[shared_testing::test]
async fn a_page_of_parts_as_their_owner_sees_it() {
    let stage = stage().await;
    let export = export(&stage, 1, b"twelve bytes", 8).await;
    let response = listing(&stage.caller("ada"), &export, 0).await;
    let mut seen = response.redacted();
    for part in seen["data"]["parts"].as_array_mut().expect("parts") {
        assert!(part["download"]["url"].text().contains("/downloads/"));
        part["download"]["url"] = json!("[url]");
    }
    insta::assert_json_snapshot!(seen, @r#"
    {
      "data": {
        "bytes": 12,
        "content_type": "application/octet-stream",
        "export_id": "[exp]",
        "file_name": "package.bin",
        "grants_ttl_seconds": 120,
        "next_cursor": null,
        "part_count": 2,
        "parts": [
          {
            "bytes": 8,
            "content_type": "application/octet-stream",
            "download": {
              "expires_at": "[timestamp]",
              "grant_id": "[dg]",
              "headers": {},
              "method": "GET",
              "url": "[url]"
            },
            "file_name": "package.bin.part-0000",
            "index": 0,
            "sha256": "deeb1fbe8940ffd8703189ff345a9bdcc42afbc084c75dde5ab4b674c23372c5"
          },
          {
            "bytes": 4,
            "content_type": "application/octet-stream",
            "download": {
              "expires_at": "[timestamp]",
              "grant_id": "[dg]",
              "headers": {},
              "method": "GET",
              "url": "[url]"
            },
            "file_name": "package.bin.part-0001",
            "index": 1,
            "sha256": "1bb5d68ab44e94bfde64b39d9fdb11ffabf9ec9d96fc5bdf0aad00bc73270452"
          }
        ],
        "sha256": "d4ce2c527afe674c7a086bd74e256019e3d5dcdb31eeb6eaadef5ada8c4383b9"
      },
      "meta": {
        "next_cursor": null,
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!(response["data"]["sha256"].text(), hex::encode(Sha256::digest(b"twelve bytes")));
    let first = &response["data"]["parts"][0];
    assert_eq!(first["sha256"].text(), hex::encode(Sha256::digest(b"twelve b")));
    assert_eq!(first["download"]["expires_at"], json!(stage.now().plus(Duration::from_secs(120))));
    assert_eq!(response.header("x-ratelimit-limit"), "120");
}

#[shared_testing::test]
async fn every_part_is_on_one_page_and_every_link_leads_to_its_bytes() {
    let stage = stage().await;
    let whole = bytes(10 * 37 + 3);
    let export = export(&stage, 1, &whole, 10).await;
    let ada = stage.caller("ada");
    let (mut cursor, mut sizes, mut fetched) = (json!(0), Vec::new(), Vec::new());
    while let Some(from) = cursor.as_i64() {
        let response = listing(&ada, &export, from).await;
        let parts = response["data"]["parts"].as_array().expect("parts").clone();
        sizes.push(parts.len());
        for (part, index) in parts.iter().zip(from..) {
            assert_eq!(part["index"], json!(index));
            assert_eq!(part["file_name"], json!(format!("package.bin.part-{index:04}")));
            let got = stage.anyone().get(path_of(&stage, part["download"]["url"].text())).await.status(200);
            assert_eq!(part["bytes"], json!(got.bytes().len()));
            fetched.extend_from_slice(got.bytes());
        }
        cursor = response["data"]["next_cursor"].clone();
        let meta = cursor.as_i64().map_or(Value::Null, |index| json!(index.to_string()));
        assert_eq!(response["meta"]["next_cursor"], meta);
    }
    assert_eq!(sizes, [16, 16, 6]);
    assert!(fetched == whole);
}

#[shared_testing::test]
async fn any_index_is_a_cursor_and_the_number_of_parts_gives_an_empty_page() {
    let stage = stage().await;
    let export = export(&stage, 1, &bytes(40), 1).await;
    let ada = stage.caller("ada");
    for (cursor, count, next) in
        [(0, 16, json!(16)), (7, 16, json!(23)), (24, 16, Value::Null), (39, 1, Value::Null), (40, 0, Value::Null)]
    {
        let response = listing(&ada, &export, cursor).await;
        let parts = response["data"]["parts"].as_array().expect("parts");
        assert_eq!((parts.len(), &response["data"]["next_cursor"]), (count, &next), "{cursor}");
        assert!(parts.first().is_none_or(|part| part["index"] == json!(cursor)));
    }
    let path = format!("/api/v1/exports/{}/parts", export.id);
    ada.get(format!("{path}?cursor=41")).await.refused(400, "invalid_cursor").problems_at(&["cursor"]);
    for wrong in ["-1", "+1", "%201", "1.0", "x", "", "99999999999999999999", "501"] {
        ada.get(format!("{path}?cursor={wrong}")).await.refused(400, "invalid_cursor").problems_at(&["cursor"]);
    }
    for malformed in ["page=1", "cursor=0&cursor=0"] {
        ada.get(format!("{path}?{malformed}")).await.refused(400, "invalid_request");
    }
}

#[shared_testing::test]
async fn an_empty_file_is_one_empty_part() {
    let stage = stage().await;
    let export = export(&stage, 1, b"", 10).await;
    let ada = stage.caller("ada");
    let response = listing(&ada, &export, 0).await;
    let part = &response["data"]["parts"][0];
    assert_eq!((&part["bytes"], &part["file_name"]), (&json!(0), &json!("package.bin")));
    let got = stage.anyone().get(path_of(&stage, part["download"]["url"].text())).await.status(200);
    assert_eq!((got.bytes(), got.header("content-length")), (b"".as_slice(), "0"));
}

#[shared_testing::test]
async fn a_stranger_cannot_see_that_the_export_exists() {
    let stage = stage().await;
    let export = export(&stage, 1, b"package", 10).await;
    let bob = stage.caller("bob");
    for what in ["parts", "parts?cursor=0", "parts?cursor=9", "manifest"] {
        let foreign = bob.get(format!("/api/v1/exports/{}/{what}", export.id)).await.refused(404, "not_found");
        let missing = bob.get(format!("/api/v1/exports/{}/{what}", id("exp", 7))).await.refused(404, "not_found");
        assert_eq!(foreign.redacted(), missing.redacted());
    }
    revoke(&stage.context, export.id).await.expect("revoked");
    bob.get(format!("/api/v1/exports/{}/parts", export.id)).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn the_owner_learns_why_an_export_cannot_be_downloaded() {
    let stage = stage().await;
    let ada = stage.caller("ada").claim("exp", stage.now().plus(Duration::from_secs(86_400)).seconds());
    let path = |export: &locker_svc::exports::Export| format!("/api/v1/exports/{}/parts", export.id);

    let source = file(&stage, "expires.bin", b"soon gone");
    let mut expiring = build_request(1, &source, 4);
    expiring.expires_in = Some(Duration::from_secs(600));
    let expiring = build(&stage.context, expiring, &mut |_| {}).await.expect("an export");
    stage.clock.advance(Duration::from_secs(599));
    let listed = ada.get(path(&expiring)).await.status(200);
    let end = expiring.expires_at.expect("it expires").to_string();
    assert_eq!(listed["data"]["parts"][0]["download"]["expires_at"], end, "no link outlives its export");
    let link = links(&stage, &ada, &expiring).await.remove(0);
    stage.anyone().get(&link).await.status(200);
    stage.clock.advance(Duration::from_secs(1));
    ada.get(path(&expiring)).await.refused(404, "export_expired");
    stage.anyone().get(&link).await.refused(404, "grant_invalid");
    let collected = collect_garbage(&stage.context, Duration::from_secs(86_400)).await.expect("collects");
    assert_eq!((collected.expired, collected.given_up, collected.blobs), (1, 0, 3));
    ada.get(path(&expiring)).await.refused(404, "export_expired");

    let revoked = export(&stage, 1, b"package", 4).await;
    assert_eq!(revoke(&stage.context, revoked.id).await.expect("revokes"), Some(true));
    assert_eq!(revoke(&stage.context, revoked.id).await.expect("again"), Some(false));
    ada.get(path(&revoked)).await.refused(404, "export_revoked");
    assert_eq!(std::fs::read_dir(stage.folder().join("blobs/exports")).expect("the folder").count(), 0);
}

#[shared_testing::test]
async fn while_it_is_being_built_its_owner_is_told_to_wait() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let (begun, _) = super::build::interrupted(&stage).await;
    for what in ["parts", "manifest"] {
        let response = ada.get(format!("/api/v1/exports/{begun}/{what}")).await.refused(404, "export_not_ready");
        assert_eq!(response["error"]["next_action"], json!({"type": "wait", "after_seconds": 5}));
        assert_eq!((response.header("retry-after"), &response["error"]["retryable"]), ("5", &json!(true)));
    }
    stage.clock.advance(Duration::from_secs(7 * 86_400));
    let collected = collect_garbage(&stage.context, Duration::from_secs(7 * 86_400)).await.expect("collects");
    assert_eq!(collected.given_up, 1);
    let ada = stage.caller("ada");
    ada.get(format!("/api/v1/exports/{begun}/parts")).await.refused(404, "export_failed");
}
