//! Uploads: begun, sent in chunks, continued, completed once, and swept.

mod bad_line;
mod bucket;
mod chunks;
mod complete;
mod hostile;
mod quota;
mod sweep;
mod versions;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_testing::{Caller, Request, Response, Stage, Text};

/// The length of a chunk.
pub const CHUNK: usize = 1_048_576;

/// Bytes that differ from chunk to chunk.
pub fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at % 251) as u8 ^ (at / CHUNK) as u8).collect()
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The body that begins an upload of these bytes.
pub fn claim(bytes: &[u8]) -> Value {
    json!({"name": "Drawings", "mime": "image/png", "size": bytes.len(), "sha256": sha256(bytes)})
}

pub fn begin(caller: &Caller, body: Value) -> Request {
    caller.post("/v1/uploads").fresh_key().json(body)
}

/// Begins an upload of these bytes; returns its id.
pub async fn begun(caller: &Caller, bytes: &[u8]) -> String {
    begin(caller, claim(bytes)).await.status(200)["upload"]["id"].text().to_owned()
}

/// A chunk with these bytes.
pub fn put(caller: &Caller, upload: &str, index: usize, chunk: &[u8]) -> Request {
    let path = format!("/v1/uploads/{upload}/chunks/{index}");
    caller.request("PUT", path).body("application/octet-stream", chunk)
}

/// Sends all chunks.
pub async fn sent(caller: &Caller, upload: &str, bytes: &[u8]) {
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        put(caller, upload, index, chunk).await.status(200);
    }
}

pub fn command(caller: &Caller, upload: &str, verb: &str) -> Request {
    caller.post(format!("/v1/uploads/{upload}/{verb}")).fresh_key().json(json!({}))
}

/// Uploads these bytes as a file; returns the answer of the completion.
pub async fn uploaded(caller: &Caller, bytes: &[u8]) -> Response {
    let upload = begun(caller, bytes).await;
    sent(caller, &upload, bytes).await;
    command(caller, &upload, "complete").await.status(200)
}

/// Uploads these bytes as a file of this name; returns its id.
pub async fn named(caller: &Caller, name: &str, bytes: &[u8]) -> String {
    let mut claim = claim(bytes);
    claim["name"] = json!(name);
    let upload = begin(caller, claim).await.status(200)["upload"]["id"].text().to_owned();
    sent(caller, &upload, bytes).await;
    command(caller, &upload, "complete").await.status(200)["file"]["id"].text().to_owned()
}

pub async fn status(caller: &Caller, upload: &str) -> Value {
    caller.get(format!("/v1/uploads/{upload}")).await.status(200)["upload"].clone()
}

/// The used and reserved bytes of the workspace.
pub async fn storage(caller: &Caller) -> (i64, i64) {
    let workspace = caller.get("/v1/workspaces").await.status(200)["workspaces"][0].clone();
    let bytes = |name: &str| workspace[name].as_i64().expect("bytes");
    (bytes("storage_used_bytes"), bytes("storage_reserved_bytes"))
}

/// A link to download the file.
pub async fn link(caller: &Caller, file: &str, body: Value) -> Value {
    let grant = caller.post(format!("/v1/files/{file}/download-grants")).json(body);
    grant.await.status(200)["download"].clone()
}

/// The bytes of the current version.
pub async fn downloaded(stage: &Stage, caller: &Caller, file: &str) -> Vec<u8> {
    let link = link(caller, file, json!({})).await;
    let path = link["url"].text().strip_prefix(stage.base_url()).expect("a URL of ours").to_owned();
    stage.anyone().get(path).await.status(200).bytes().to_vec()
}

/// The number of objects in the blob store.
pub fn objects(stage: &Stage) -> usize {
    let uploads = stage.folder().join("blobs/uploads");
    let Ok(folders) = std::fs::read_dir(uploads) else { return 0 };
    let files = |folder: std::fs::DirEntry| std::fs::read_dir(folder.path()).expect("a folder").count();
    folders.map(|folder| files(folder.expect("an entry"))).sum()
}
