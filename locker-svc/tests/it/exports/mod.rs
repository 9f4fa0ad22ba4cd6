//! Exports: how they are built, listed, downloaded, ended and verified.

mod bucket;
mod build;
mod commands;
mod download;
mod list_parts;
mod secrecy;
mod tables;
mod verify;

use std::path::{Path, PathBuf};

use locker_svc::{
    exports::{
        Export,
        build::{BuildRequest, build},
    },
    service,
};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::samples;

/// A stage on which room 1 is ada's and room 2 is bob's.
pub async fn stage() -> Stage {
    let stage = Stage::of(service()).await;
    let rooms = [samples::subscription("ada", 1, 0), samples::subscription("bob", 2, 1)];
    samples::import(&stage, &rooms).await.expect("good lines");
    stage
}

/// `count` bytes without repetitions.
pub fn bytes(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// The request to build a file or folder.
pub fn build_request(room: u32, path: &Path, part_bytes: u64) -> BuildRequest {
    let room = samples::id("room", room).parse().expect("an id");
    BuildRequest { room, path: path.to_owned(), part_bytes, expires_in: None, restart: false, id: None }
}

/// A file of the stage with these bytes.
pub fn file(stage: &Stage, name: &str, bytes: &[u8]) -> PathBuf {
    let path = stage.folder().join(name);
    std::fs::write(&path, bytes).expect("the file is written");
    path
}

/// An export of a room, of these bytes in parts of this length.
pub async fn export(stage: &Stage, room: u32, bytes: &[u8], part_bytes: u64) -> Export {
    let path = file(stage, "package.bin", bytes);
    build(&stage.context, build_request(room, &path, part_bytes), &mut |_| {}).await.expect("an export")
}

/// The path below the base URL of a link.
pub fn path_of(stage: &Stage, url: &str) -> String {
    url.strip_prefix(stage.base_url()).expect("a link of this service").to_owned()
}

/// The parts' listing from this cursor on.
pub async fn listing(caller: &Caller, export: &Export, cursor: i64) -> Response {
    caller.get(format!("/api/v1/exports/{}/parts?cursor={cursor}", export.id)).await.status(200)
}

/// The paths of fresh links to the parts of the first page.
pub async fn links(stage: &Stage, caller: &Caller, export: &Export) -> Vec<String> {
    let response = listing(caller, export, 0).await;
    let parts = response["data"]["parts"].as_array().expect("parts");
    parts.iter().map(|part| path_of(stage, part["download"]["url"].text())).collect()
}
