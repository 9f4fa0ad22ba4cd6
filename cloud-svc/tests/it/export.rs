//! `cloud-svc export`: an export that was imported elsewhere is exported the same again.

use std::{
    collections::BTreeMap,
    fs,
    future::poll_fn,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    pin::pin,
    task::Poll,
};

use cloud_svc::{
    WorkspaceId,
    base::owner::Owner,
    service,
    transfer::export::{self, Export, Exported},
};
use serde_json::{Value, json};
use shared_model::Error;
use shared_testing::{Caller, Stage, Text as _};

use crate::{
    commands::cloud,
    samples::{self, folder, id},
    uploads,
};

/// Runs a command that must end with this code; returns its output.
#[track_caller]
fn said(stage: &Stage, code: i32, arguments: &[&str]) -> String {
    let output = cloud(stage, arguments);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

/// Exports a workspace; returns the folder.
#[track_caller]
fn exported(stage: &Stage, workspace: &str, to: &str, more: &[&str]) -> PathBuf {
    let folder = stage.folder().join(to);
    let path = folder.to_str().expect("UTF-8");
    said(stage, 0, &[&["export", "--workspace", workspace], more, &[path]].concat());
    folder
}

/// Paths below a folder: files with their bytes, and folders.
fn tree(root: &Path) -> BTreeMap<String, Option<String>> {
    let mut tree = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned();
            if path.is_dir() {
                folders.push(path);
                tree.insert(name, None);
            } else {
                tree.insert(name, Some(fs::read_to_string(path).expect("text")));
            }
        }
    }
    tree
}

/// Creates a file of a type with this content, or the smallest content, and returns its id.
async fn create(ada: &Caller, kind: &str, name: &str, parent: Option<&str>, content: Option<Value>) -> String {
    let mut body = json!({"name": name});
    if let Some(parent) = parent {
        body["parent_id"] = json!(parent);
    }
    if let Some(content) = content {
        body["content"] = content;
    }
    id(&ada.post(format!("/v1/{kind}s")).fresh_key().json(body).await.status(200))
}

fn text(title: &str, content: &str) -> Option<Value> {
    Some(json!({"title": title, "content": content}))
}

async fn nasty(ada: &Caller) {
    let names = [
        "...",
        ".hidden",
        "CON",
        "nul.txt",
        "LPT9",
        "a:b*c?\"<>|\\",
        "100%25",
        "trailing.",
        "日本語",
        "🧀❤\u{fe0f}",
        "é",
        "name.md",
        "name.spreadsheet",
        "-rf",
        "~",
        "$HOME",
        "%2F",
    ];
    for name in names {
        folder(ada, name, None).await;
        create(ada, "note", name, None, text(name, name)).await;
    }
    for (index, name) in ["Same", "same", "SAME", "Same", "same (2)"].into_iter().enumerate() {
        let within = folder(ada, name, None).await;
        create(ada, "document", name, None, None).await;
        create(ada, "note", name, None, text(name, &format!("{index}"))).await;
        create(ada, "note", "inner", Some(&within), text("", "another title")).await;
    }
    create(ada, "note", &"長".repeat(63), None, text("", "x")).await;
    create(ada, "note", &"?".repeat(190), None, text("", "x")).await;
    create(ada, "note", &"a".repeat(190), None, text("", "1")).await;
    create(ada, "note", &"a".repeat(190), None, text("", "2")).await;
    let mut parent = folder(ada, &"Ü".repeat(95), None).await;
    for _ in 1..32 {
        parent = folder(ada, &"Ü".repeat(95), Some(&parent)).await;
    }
    create(ada, "publication", &"Ü".repeat(95), Some(&parent), None).await;
}

#[shared_testing::test]
async fn names_that_file_systems_refuse_survive_export_and_import() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    nasty(&ada).await;
    let first = exported(&stage, "ws_1", "first", &[]);
    let tree_of_first = tree(&first);
    for name in
        ["%2E.%2E", "%2Ehidden.txt", "%43ON.txt", "%6Eul.txt.txt", "a%3Ab%2Ac%3F%22%3C%3E%7C%5C", "100%2525.txt"]
    {
        assert!(tree_of_first.contains_key(name), "{name}: {:?}", tree_of_first.keys());
    }
    let folded: std::collections::HashSet<_> = tree_of_first.keys().map(|path| path.to_lowercase()).collect();
    assert_eq!(folded.len(), tree_of_first.len(), "no two differ only in case");
    let path = first.to_str().expect("UTF-8");
    let reported = said(&stage, 0, &["import", "--workspace", "ws_2", "--create", path]);
    assert!(reported.starts_with(&format!("{} added, 0 unchanged", tree_of_first.len())), "{reported}");
    let second = exported(&stage, "ws_2", "second", &[]);
    assert_eq!(tree(&second), tree_of_first);
    let bob = stage.caller("bob").workspace(2);
    let found = bob.get("/v1/search?type=folder&name_contains=a%3Ab").await.status(200);
    assert_eq!(found["items"][0]["name"], "a:b*c?\"<>|\\");
}

#[shared_testing::test]
async fn each_type_of_content_survives_export_and_import() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let blocks = json!([
        {"id": "title", "type": "heading1", "segments": [{"text": "Minutes #1 *now*"}]},
        {"id": "p", "type": "paragraph", "segments": [{"text": "a ", "bold": true}, {"text": "b", "link": "https://example.com/(x)"}]},
        {"id": "t", "type": "table", "segments": [], "rows": [[[{"text": "a|b"}], []], [[], [{"text": "c\nd"}]]]}
    ]);
    let content = json!({"kind": "docs", "blocks": blocks, "settings": {"page": "A4", "reading": "paged"}});
    create(&ada, "document", "Minutes", None, Some(content.clone())).await;
    let sheets = json!({"kind": "sheets", "sheets": [
        {"name": "A/B", "cells": [["=SUM(B1:B2)", "-1"], ["", "x,y"]]}, {"name": "Empty", "cells": [[""]]}
    ], "formats": {"0:0:1": {"align": "right"}}, "widths": [[120, 80], [100]]});
    create(&ada, "spreadsheet", "Budget", None, Some(sheets.clone())).await;
    create(&ada, "note", "Plain", None, text("Plain", "# a\n\ttext")).await;
    create(&ada, "note", "Titled", None, text("Another", "b")).await;
    create(&ada, "note", "Marked", None, text("Marked", "\u{feff}c")).await;
    create(&ada, "presentation", "Slides", None, None).await;
    create(&ada, "publication", "Fair", None, None).await;

    let readable = tree(&exported(&stage, "ws_1", "readable", &["--csv"]));
    let paths: Vec<_> = readable.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "Budget.A_B.csv",
            "Budget.Empty.csv",
            "Budget.spreadsheet.json",
            "Fair.publication.json",
            "Marked.note.json",
            "Minutes.md",
            "Plain.txt",
            "Slides.presentation.json",
            "Titled.note.json",
        ]
    );
    assert_eq!(readable["Budget.A_B.csv"].as_deref(), Some("'=SUM(B1:B2),'-1\r\n,\"x,y\"\r\n"));
    assert_eq!(readable["Plain.txt"].as_deref(), Some("# a\n\ttext"));
    let whole: Value =
        serde_json::from_str(readable["Budget.spreadsheet.json"].as_deref().expect("a file")).expect("JSON");
    assert_eq!(whole, sheets);

    for (workspace, to, flags) in [("ws_2", "plain", &[][..]), ("ws_3", "lossless", &["--lossless"])] {
        let first = exported(&stage, "ws_1", to, flags);
        said(&stage, 0, &["import", "--workspace", workspace, "--create", first.to_str().expect("UTF-8")]);
        let second = exported(&stage, workspace, &format!("{to} again"), flags);
        assert_eq!(tree(&second), tree(&first));
        let mode = fs::metadata(first.join("Plain.txt")).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let lossless = fs::read_to_string(stage.folder().join("lossless/Minutes.document.json")).expect("the file");
    assert_eq!(serde_json::from_str::<Value>(&lossless).expect("JSON"), content);
}

#[shared_testing::test]
async fn one_folder_or_file_is_exported_without_the_trash() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let outer = folder(&ada, "Outer", None).await;
    let inner = folder(&ada, "Inner", Some(&outer)).await;
    let document = samples::document_in(&ada, "Plan", &inner).await;
    let gone = samples::document_in(&ada, "Gone", &outer).await;
    let hidden = folder(&ada, "Hidden", Some(&outer)).await;
    let within = samples::document_in(&ada, "Within", &hidden).await;
    for id in [&gone, &hidden] {
        samples::command(&ada, id, "trash", json!({})).await.await.status(200);
    }
    let all = tree(&exported(&stage, "ws_1", "all", &[]));
    assert_eq!(all.keys().collect::<Vec<_>>(), ["Outer", "Outer/Inner", "Outer/Inner/Plan.md"]);
    let part = tree(&exported(&stage, "ws_1", "part", &["--file", &outer]));
    assert_eq!(part.keys().collect::<Vec<_>>(), ["Inner", "Inner/Plan.md"]);
    let one = tree(&exported(&stage, "ws_1", "one", &["--file", &document]));
    assert_eq!(one.keys().collect::<Vec<_>>(), ["Plan.md"]);

    let folder = |name: &str| stage.folder().join(name).to_str().expect("UTF-8").to_owned();
    for missing in [&gone, &within, "file_999"] {
        let reported = said(&stage, 1, &["export", "--workspace", "ws_1", "--file", missing, &folder("none")]);
        assert_eq!(reported, "error: There is no such file outside the trash.\n");
    }
    assert!(!Path::new(&folder("none")).exists());
    let reported = said(&stage, 1, &["export", "--workspace", "ws_1", &folder("all")]);
    assert!(reported.contains("must be an empty folder, or not exist"), "{reported}");
    let reported = said(&stage, 1, &["export", "--workspace", "ws_1", &folder("no/where")]);
    assert!(reported.contains("no/where: No such file or directory"), "{reported}");
    let reported = said(&stage, 1, &["export", "--workspace", "ws_9", &folder("none")]);
    assert_eq!(reported, "error: There is no workspace ws_9.\n");
}

/// Exports workspace 1, or one of its folders. As soon as this path is written, the export pauses for what happens
/// meanwhile.
async fn interrupted(
    stage: &Stage,
    (top, to): (Option<&str>, &str),
    written: &str,
    meanwhile: impl AsyncFnOnce(),
) -> Result<Exported, Error> {
    let folder = stage.folder().join(to);
    let path = folder.join(written);
    let owner = Owner::without_limits(WorkspaceId::from_number(1));
    let file = top.map(|id| id.parse().expect("an id of a file"));
    let export = Export { owner, file, folder, csv: false, xlsx: false, lossless: false };
    let mut export = pin!(export::run(&stage.context, export));
    poll_fn(|context| {
        assert!(export.as_mut().poll(context).is_pending(), "it ended too soon");
        if path.exists() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    meanwhile().await;
    export.await
}

#[shared_testing::test]
async fn a_file_that_gets_another_type_meanwhile_is_exported() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = uploads::named(&ada, "Plan", b"first").await;
    // The newest file is written first, and the next one is being read then.
    for name in ["Second", "First"] {
        uploads::named(&ada, name, b"x").await;
    }
    let exported = interrupted(&stage, (None, "all"), "First", async || {
        let mut body = uploads::claim(b"%PDF-1.7");
        body["file_id"] = json!(file);
        let etag = samples::etag(&ada, &file).await;
        let begun = uploads::begin(&ada, body).header("if-match", etag).await.status(200);
        let upload = begun["upload"]["id"].text();
        uploads::sent(&ada, upload, b"%PDF-1.7").await;
        let completed = uploads::command(&ada, upload, "complete").await.status(200);
        assert_eq!(completed["file"]["type"], "pdf");
    });
    assert_eq!(exported.await.expect("an export").files, 3);
    assert!(stage.folder().join("all/Plan").exists());
}

/// The files of an export; `None` if it was refused because files were moved.
#[track_caller]
fn files(exported: Result<Exported, Error>) -> Option<u64> {
    match exported {
        Ok(Exported { files, .. }) => Some(files),
        Err(Error::Refused(refusal)) => {
            assert!(refusal.message.starts_with("Files were moved meanwhile"), "{refusal:?}");
            None
        }
        Err(Error::Failed(failure)) => panic!("{failure}"),
    }
}

#[shared_testing::test]
async fn an_export_fails_if_a_file_is_moved_behind_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    // The oldest folder is visited first, and its newest file.
    let written = folder(&ada, "Written", None).await;
    // The export may be one read ahead when it is interrupted, and then it has listed this folder, not the next.
    folder(&ada, "Between", None).await;
    let later = folder(&ada, "Later", None).await;
    let outside = folder(&ada, "Outside", None).await;
    samples::document_in(&ada, "First", &written).await;
    let early = samples::document_in(&ada, "Early", &written).await;
    let trashed = samples::document_in(&ada, "Trashed", &written).await;
    let renamed = samples::document_in(&ada, "Renamed", &later).await;
    let moved = samples::document_in(&ada, "Moved", &later).await;
    samples::command(&ada, &trashed, "trash", json!({})).await.await.status(200);
    let to = |folder: &str| json!({"parent_id": folder});
    for (why, top, file, verb, body, expected) in [
        ("a new name", None, &renamed, "rename", json!({"name": "Other"}), Some(4)),
        ("written already", None, &early, "move", to(&later), Some(4)),
        ("outside", Some(&*written), &renamed, "move", to(&outside), Some(1)),
        ("behind", None, &moved, "move", to(&written), None),
        ("restored behind", None, &trashed, "restore", json!({}), None),
    ] {
        let path = if top.is_some() { "First.md" } else { "Written/First.md" };
        let exported = interrupted(&stage, (top, why), path, async || {
            samples::command(&ada, file, verb, body).await.await.status(200);
        });
        assert_eq!(files(exported.await), expected, "{why}");
    }
}

#[shared_testing::test]
async fn an_export_fails_if_a_folder_was_in_the_trash_meanwhile() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let around = folder(&ada, "Around", None).await;
    let top = folder(&ada, "Top", Some(&around)).await;
    let inside = folder(&ada, "Inside", Some(&top)).await;
    samples::document_in(&ada, "First", &top).await;
    samples::document_in(&ada, "Second", &inside).await;
    let other = folder(&ada, "Other", None).await;
    for (folder, expected) in [(&other, Some(2)), (&inside, None), (&top, None), (&around, None)] {
        // The newest file is written first, and the folder inside is listed later.
        let exported = interrupted(&stage, (Some(&*top), folder.as_str()), "First.md", async || {
            for verb in ["trash", "restore"] {
                samples::command(&ada, folder, verb, json!({})).await.await.status(200);
            }
        });
        assert_eq!(files(exported.await), expected, "{folder}");
    }
    // A move of the same folders hides nothing.
    let exported = interrupted(&stage, (Some(&*top), "moved"), "First.md", async || {
        for folder in [&inside, &top, &around] {
            samples::command(&ada, folder, "move", json!({"parent_id": other})).await.await.status(200);
        }
    });
    assert_eq!(files(exported.await), Some(2));
}
