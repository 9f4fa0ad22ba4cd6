//! Disks that are full or read-only, and disks that flip bits. Nothing that was acknowledged is lost, and nothing
//! corrupt is served.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{
    Caller, ServiceProcess, Stage, Text as _, disks,
    servers::{self, Servers},
    together,
};

use crate::{
    samples::{self, plan},
    uploads::{self, CHUNK, begun, bytes, link, uploaded},
};

/// Changes one bit of the text of every version, or changes it back.
async fn flip(stage: &Stage, (from, to): (&str, &str)) {
    samples::sql(stage, &format!("UPDATE versions SET content = replace(content, '{from}', '{to}')")).await;
}

#[shared_testing::test]
async fn a_text_with_a_flipped_bit_is_not_served() {
    let stage = Stage::of(service()).await;
    stage.expects_failures();
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["Pay 1000 euros."]).await);
    let version = samples::record(&ada, &file).await["file"]["current_version_id"].text().to_owned();
    let planned = plan(&ada, &file, "more").await;
    let paths = [
        format!("/v1/documents/{file}"),
        format!("/v1/documents/{file}?view=outline"),
        format!("/v1/documents/{file}?view=markdown"),
        format!("/v1/documents/{file}?view=blocks"),
        format!("/v1/documents/{file}?version_id={version}"),
        format!("/v1/files/{file}/versions/{version}"),
        format!("/v1/files/{file}/authorship"),
    ];
    for path in &paths {
        ada.get(path).await.status(200);
    }
    // '0' and '1' differ in one bit, and the text is good JSON with either.
    flip(&stage, ("1000", "1001")).await;
    for path in &paths {
        let refused = ada.get(path).await.refused(500, "internal_error");
        assert!(!refused.body().contains("1001"), "{path}: {refused}");
    }
    let block = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "and more"}]}}]);
    samples::propose(&ada, &file, block).await.await.refused(500, "internal_error");
    let list = ada.get("/v1/files?limit=5").await.status(200);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "what is not corrupt is served");

    flip(&stage, ("1001", "1000")).await;
    ada.get(format!("/v1/documents/{file}")).await.status(200);
    // A reviewer has approved another text.
    samples::sql(&stage, "UPDATE edit_plans SET content = replace(content, '1000', '1001')").await;
    samples::apply(&ada, &planned).await.await.refused(500, "internal_error");
    samples::sql(&stage, "UPDATE edit_plans SET content = replace(content, '1001', '1000')").await;
    samples::apply(&ada, &planned).await.await.status(200);
}

/// The blobs in a folder, in the order of their chunks.
fn blobs(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries(folder).flat_map(|upload| entries(&upload)).collect();
    found.sort();
    found
}

#[shared_testing::test]
async fn a_blob_with_a_flipped_bit_is_not_served_to_its_end() {
    let stage = Stage::of(service()).await;
    stage.expects_failures();
    let ada = stage.caller("ada");
    let whole = bytes(2 * CHUNK + 9);
    let file = samples::id(&uploaded(&ada, &whole).await);
    let link = link(&ada, &file, json!({})).await;
    let path = link["url"].text().strip_prefix(stage.base_url()).expect("a URL of ours");
    let range = |from: usize, to: usize| stage.anyone().get(path).header("range", format!("bytes={from}-{}", to - 1));
    let blob = blobs(&stage.folder().join("blobs/uploads"))[1].clone();
    let mut stored = fs::read(&blob).expect("a blob");
    for at in [0, CHUNK / 2, CHUNK - 1] {
        stored[at] ^= 4;
        fs::write(&blob, &stored).expect("it is written");
        for (from, to) in [(0, whole.len()), (CHUNK, 2 * CHUNK), (CHUNK + 5, CHUNK + 6), (0, CHUNK + 1)] {
            assert!(range(from, to).send().await.is_err(), "{from}..{to} with bit {at}");
        }
        for (from, to) in [(0, CHUNK), (2 * CHUNK, 2 * CHUNK + 9), (7, 8)] {
            assert!(range(from, to).await.status(206).bytes() == &whole[from..to], "{from}..{to} with bit {at}");
        }
        stored[at] ^= 4;
    }
    fs::write(&blob, &stored).expect("it is written");
    assert!(stage.anyone().get(path).await.status(200).bytes() == whole);
}

/// A service whose files have limits and permissions.
async fn bounded(servers: Option<Servers>) -> ServiceProcess {
    ServiceProcess::bounded(env!("CARGO_BIN_EXE_cloud-svc"), service(), servers, &[]).await
}

fn document(number: usize) -> Value {
    let block = json!({"id": "b", "type": "paragraph", "segments": [{"text": "w".repeat(9_000)}]});
    json!({"name": format!("Document {number}"), "content": {"kind": "docs", "blocks": [block]}})
}

/// Creates documents until one is refused; their ids.
async fn fill(ada: &Caller) -> Vec<String> {
    let mut made = Vec::new();
    loop {
        let created = ada.post("/v1/documents").fresh_key().json(document(made.len())).await;
        match created.status {
            200 => made.push(samples::id(&created)),
            _ => {
                let refused = created.refused(503, "temporarily_unavailable");
                assert_eq!(refused["error"]["next_action"]["type"], "retry_same_key");
                return made;
            }
        }
        assert!(made.len() < 5_000, "the disk is not full");
    }
}

/// The statuses of one command that is sent twenty times at once.
async fn twenty(ada: &Caller) -> Vec<u16> {
    let answers = together((0..20).map(|_| ada.post("/v1/documents").key("once").json(document(9_999)))).await;
    answers.iter().map(|answer| answer.status).collect()
}

#[shared_testing::test]
async fn a_full_disk_loses_nothing_and_reads_go_on() {
    let mut cloud = bounded(servers::of_this_run()).await;
    let ada = cloud.caller("ada");
    let whole = bytes(CHUNK + 9);
    let upload = begun(&ada, &whole).await;
    samples::create(&ada, "First").await;

    cloud.limit_files(Some(1_000_000));
    uploads::put(&ada, &upload, 0, &whole[..CHUNK]).await.refused(503, "temporarily_unavailable");
    // PostgreSQL has a disk of its own, which is not full.
    let is_full = servers::of_this_run().is_none();
    let made = if is_full { fill(&ada).await } else { Vec::new() };
    for id in &made {
        ada.get(format!("/v1/documents/{id}")).await.status(200);
    }
    // Among twenty at once, those that came second may be told that the first is not done.
    let refused = twenty(&ada).await;
    assert!(!is_full || refused.iter().all(|status| matches!(status, 409 | 503)), "{refused:?}");

    // Nobody has made room, and the service is killed.
    cloud.kill();
    cloud.start(&[]).await;
    for id in &made {
        let content = ada.get(format!("/v1/documents/{id}")).await.status(200);
        assert_eq!(content["content"]["blocks"][0]["segments"][0]["text"].text().len(), 9_000);
    }
    let created = twenty(&ada).await;
    assert!(created.contains(&200), "{created:?}");
    let list = samples::all(&ada, "/v1/files?limit=100").await;
    assert_eq!(list.iter().filter(|file| file["name"] == "Document 9999").count(), 1, "once, although it was refused");
    assert_eq!(list.len(), made.len() + 2);
    uploads::sent(&ada, &upload, &whole).await;
    uploads::command(&ada, &upload, "complete").await.status(200);
}

#[shared_testing::test]
async fn a_full_disk_refuses_a_document_that_is_created_once_when_there_is_room() {
    let cloud = bounded(None).await;
    let ada = cloud.caller("ada");
    let create = || ada.post("/v1/documents").key("once").json(document(1));
    let created =
        disks::refuses_commands_alone(&cloud, &service(), "create_document", create, || ada.get("/v1/files")).await;
    assert_eq!(created.status, 200, "{created}");
    assert_eq!(samples::id(&create().await.status(200)), samples::id(&created));
    assert_eq!(cloud.count("files"), 1);
}

#[shared_testing::test]
async fn a_start_on_a_full_disk_serves_reads_or_says_why_not() {
    let mut cloud = bounded(None).await;
    let ada = cloud.caller("ada");
    disks::starts_or_says_why(&mut cloud, &[], || ada.get("/v1/files")).await;
    ada.post("/v1/documents").fresh_key().json(document(1)).await.status(200);
    assert_eq!(cloud.count("files"), 1);
}

/// Gives a folder and those in it these permissions.
fn permit(folder: &Path, mode: u32) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            permit(&path, mode);
        }
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("it is ours");
}

#[shared_testing::test]
async fn a_blob_folder_that_may_not_be_written_refuses_chunks_and_serves_blobs() {
    let cloud = bounded(servers::of_this_run()).await;
    let ada = cloud.caller("ada");
    let whole = bytes(CHUNK + 9);
    let file = samples::id(&uploaded(&ada, &whole).await);
    let (begun_before, begun_after) = (begun(&ada, &whole).await, begun(&ada, &whole).await);
    uploads::put(&ada, &begun_before, 0, &whole[..CHUNK]).await.status(200);

    let folder = cloud.folder().join("blobs");
    permit(&folder, 0o500);
    let stored = blobs(&folder.join("uploads"));
    // The first needs a new file, the other a new folder.
    disks::is_refused(uploads::put(&ada, &begun_before, 1, &whole[CHUNK..])).await;
    disks::is_refused(uploads::put(&ada, &begun_after, 0, &whole[..CHUNK])).await;
    let counted = "http_failures_total{surface=\"cloud\",operation=\"put_chunk\"} 2".to_owned();
    disks::has_lines(&cloud.metrics().await, &[counted, "database_away{surface=\"cloud\"} 0".to_owned()]);
    assert!(cloud.log().contains("the blob store could not begin a blob"), "{}", cloud.log());
    let link = link(&ada, &file, json!({})).await;
    assert!(cloud.anyone().get(link["url"].text()).await.status(200).bytes() == whole);
    assert_eq!(blobs(&folder.join("uploads")), stored);

    permit(&folder, 0o700);
    uploads::put(&ada, &begun_before, 1, &whole[CHUNK..]).await.status(200);
    uploads::sent(&ada, &begun_after, &whole).await;
    for upload in [&begun_before, &begun_after] {
        uploads::command(&ada, upload, "complete").await.status(200);
    }
}
