//! Download links.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_runtime::identity::{self, REVOCATION_DELAY};
use shared_testing::{Request, Stage, Text};

use crate::{
    agents, samples,
    uploads::{CHUNK, bytes, link, sha256, uploaded},
};

/// A request with a link and no token.
fn fetch(stage: &Stage, link: &Value) -> Request {
    let path = link["url"].text().strip_prefix(stage.base_url()).expect("a URL of ours");
    stage.anyone().get(path)
}

#[shared_testing::test]
async fn a_link_describes_its_download() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let whole = bytes(2 * CHUNK + 9);
    let file = samples::id(&uploaded(&ada, &whole).await);
    let link = link(&ada, &file, json!({})).await;
    assert_eq!(
        link,
        json!({
            "id": link["id"], "url": link["url"], "method": "GET", "filename": "Drawings", "bytes": whole.len(),
            "expires_at": stage.now().plus(Duration::from_secs(120)), "sha256": sha256(&whole),
            "mime": "application/octet-stream",
        })
    );
    assert!(link["id"].text().starts_with("dl_"));
    let fetched = fetch(&stage, &link).await.status(200);
    assert!(fetched.bytes() == whole);
    for (name, value) in [
        ("content-type", "application/octet-stream"),
        ("content-disposition", "attachment; filename=\"Drawings\""),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
        ("accept-ranges", "bytes"),
        ("cache-control", "private, no-store, no-transform"),
    ] {
        assert_eq!(fetched.header(name), value);
    }
    let etag = fetched.header("etag");
    assert_eq!(etag, format!("\"{}\"", sha256(&whole)));
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        (&format!("bytes={}-{}", CHUNK - 1, CHUNK), CHUNK - 1, CHUNK + 1),
        (&format!("bytes={}-", 2 * CHUNK), 2 * CHUNK, whole.len()),
        ("bytes=-3", whole.len() - 3, whole.len()),
        ("bytes=5-99999999999", 5, whole.len()),
    ] {
        let part = fetch(&stage, &link).header("range", range).header("if-range", etag).await.status(206);
        assert!(part.bytes() == &whole[from..to], "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {from}-{}/{}", to - 1, whole.len()));
    }
    let other = fetch(&stage, &link).header("range", "bytes=0-0").header("if-range", "\"other\"").await.status(200);
    assert_eq!(other.bytes().len(), whole.len());
    fetch(&stage, &link).header("range", format!("bytes={}-", whole.len())).await.refused(416, "range_not_satisfiable");
    fetch(&stage, &link).header("if-none-match", etag).await.status(304);
    for same in [etag.to_owned(), "*".to_owned(), format!("\"other\", {etag}")] {
        fetch(&stage, &link).header("if-match", same).header("range", "bytes=0-0").await.status(206);
    }
    for other in ["\"other\"".to_owned(), format!("W/{etag}")] {
        let stale = fetch(&stage, &link).header("if-match", other).header("if-none-match", etag).await;
        let action = stale.refused(412, "etag_mismatch").json()["error"]["next_action"].clone();
        assert_eq!(action["etag"], etag);
        stage.anyone().get(action["href"].text().trim_start_matches(stage.base_url())).await.status(200);
    }
}

#[shared_testing::test]
async fn native_content_is_downloaded_in_the_formats_of_its_type() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheets = json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["Rent", "=1+1"]]}, {"name": "Other", "cells": [["x"]]},
    ]});
    let create = |collection: &str, body: Value| ada.post(format!("/v1/{collection}")).fresh_key().json(body);
    let sheet = samples::id(&create("spreadsheets", json!({"name": "S", "content": sheets})).await.status(200));
    let note = json!({"name": "N", "content": {"title": "Milk", "content": "- two"}});
    let note = samples::id(&create("notes", note).await.status(200));
    let document = samples::id(&samples::document_of(&ada, &["Hello"]).await);
    for (file, body, name, mime, text) in [
        (&sheet, json!({"format": "csv"}), "S.csv", "text/csv; charset=utf-8", "Rent,'=1+1\r\n"),
        (&sheet, json!({"format": "csv", "sheet": "Other"}), "S.csv", "text/csv; charset=utf-8", "x\r\n"),
        (&note, json!({}), "N.note.json", "application/json", r#"{"title":"Milk","content":"- two"}"#),
    ] {
        let link = link(&ada, file, body).await;
        let fetched = fetch(&stage, &link).await.status(200);
        assert_eq!((fetched.body().as_str(), fetched.header("content-type")), (text, mime));
        assert_eq!((&link["filename"], &link["sha256"]), (&json!(name), &json!(sha256(text.as_bytes()))));
        let part = fetch(&stage, &link).header("range", "bytes=1-2").await.status(206);
        assert_eq!(part.body(), &text[1..3]);
    }
    let markdown = link(&ada, &document, json!({"format": "markdown"})).await;
    assert!(fetch(&stage, &markdown).await.status(200).body().contains("Hello"));
    for (name, format, file_name) in [
        ("todo.md", "markdown", "todo.md"),
        ("Todo.MD", "markdown", "Todo.MD"),
        ("todo.md", "json", "todo.md.note.json"),
        (".md", "markdown", ".md.md"),
    ] {
        let note = json!({"name": name, "content": {"title": "Milk", "content": "two"}});
        let note = samples::id(&create("notes", note).await.status(200));
        assert_eq!(link(&ada, &note, json!({"format": format})).await["filename"], file_name, "{name} as {format}");
    }
    let grant = |file: &str, body: Value| ada.post(format!("/v1/files/{file}/download-grants")).json(body);
    for (file, body, at) in [
        (&note, json!({"format": "csv"}), "/format"),
        (&sheet, json!({"format": "markdown"}), "/format"),
        (&sheet, json!({"sheet": "Other"}), "/sheet"),
        (&document, json!({"format": "docx"}), "/format"),
    ] {
        grant(file, body).await.refused(422, "invalid_field").problems_at(&[at]);
    }
    grant(&sheet, json!({"format": "csv", "sheet": "None"})).await.refused(404, "not_found");
    grant(&sheet, json!({"version_id": "ver_999999"})).await.refused(404, "not_found").problems_at(&["/version_id"]);
    let folder = samples::folder(&ada, "F", None).await;
    grant(&folder, json!({})).await.refused(422, "invalid_field").problems_at(&["file_id"]);
    let upload = samples::id(&uploaded(&ada, b"x").await);
    grant(&upload, json!({"format": "json"})).await.refused(422, "invalid_field").problems_at(&["/format"]);
}

#[shared_testing::test]
async fn a_link_gives_one_version_until_it_expires() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&uploaded(&ada, b"first").await);
    let first = link(&ada, &file, json!({})).await;
    let bob = stage.caller("bob").claim("workspace_id", "ws_2");
    bob.post(format!("/v1/files/{file}/download-grants")).json(json!({})).await.refused(404, "not_found");
    // A file in the trash can still be downloaded.
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    assert_eq!(fetch(&stage, &first).await.status(200).bytes(), b"first");
    let mut altered = first.clone();
    altered["url"] = json!(format!("{}x", first["url"].text()));
    fetch(&stage, &altered).await.refused(404, "grant_invalid");
    stage.clock.advance(Duration::from_secs(120));
    fetch(&stage, &first).await.refused(404, "grant_invalid");
    let second = link(&ada, &file, json!({})).await;
    samples::command(&ada, &file, "purge", json!({})).await.await.status(200);
    fetch(&stage, &second).await.refused(404, "grant_invalid");
}

#[shared_testing::test]
async fn the_links_of_a_revoked_grant_stop_working() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&uploaded(&ada, b"first").await);
    let (revoked, other) = (link(&ada, &file, json!({})).await, link(&bob, &file, json!({})).await);
    assert_eq!(fetch(&stage, &revoked).await.status(200).bytes(), b"first");
    let (grant, now) = (ada.claim_text("grant_id"), stage.now());
    assert!(stage.context.write(move |conn| Ok(identity::revoke(conn, &grant, now)?)).await.expect("revokes"));
    stage.clock.advance(REVOCATION_DELAY);
    fetch(&stage, &revoked).await.refused(404, "grant_invalid");
    fetch(&stage, &other).await.status(200);
}

#[shared_testing::test]
async fn the_links_of_a_revoked_agent_stop_working() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agents::agent(&stage, "robot", 1).await);
    let file = samples::id(&uploaded(&ada, b"first").await);
    let link = link(&robot, &file, json!({})).await;
    assert_eq!(fetch(&stage, &link).await.status(200).bytes(), b"first");
    let revoke = format!("/v1/agents/{}/revoke", robot.claim_text("grant_id"));
    ada.post(revoke).fresh_key().json(json!({})).await.status(200);
    stage.clock.advance(REVOCATION_DELAY);
    fetch(&stage, &link).await.refused(404, "grant_invalid");
}
