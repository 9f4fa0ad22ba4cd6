//! `cloud-svc import`, while a service runs on the same database.

use std::{
    ffi::OsStr,
    fs,
    io::{Cursor, Write as _},
    os::unix::{ffi::OsStrExt as _, fs::symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{commands::cloud, samples};

/// A folder of the stage with these files.
fn source(stage: &Stage, files: &[(&str, &[u8])]) -> PathBuf {
    let root = stage.folder().join("source");
    fs::create_dir_all(&root).expect("the folder is made");
    for (path, bytes) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    }
    root
}

fn import(stage: &Stage, path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().expect("UTF-8");
    cloud(stage, &[&["import", "--workspace", "ws_1"], more, &[path]].concat())
}

/// The output of an import, which ends with this code.
#[track_caller]
fn said(code: i32, output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// The records of a folder, or of the top, by name.
async fn children(ada: &Caller, parent: &str) -> Vec<Value> {
    let listed = ada.get(format!("/v1/files?limit=100&parent_id={parent}")).await.status(200);
    let mut items = listed["items"].as_array().expect("a list").clone();
    items.sort_by_key(|item| item["name"].text().to_owned());
    items
}

fn names(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["name"].text()).collect()
}

async fn content(ada: &Caller, item: &Value) -> Value {
    let path = format!("/v1/{}s/{}", item["type"].text(), item["id"].text());
    ada.get(path).await.status(200)["content"].clone()
}

/// An archive of these parts.
pub fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part begins");
        zip.write_all(text.as_bytes()).expect("it is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A workbook with one sheet of this XML.
fn workbook(cells: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = |kind: &str, target: &str| {
        format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{office}/{kind}" Target="{target}"/></Relationships>"#
        )
    };
    archive(&[
        ("_rels/.rels", relations("officeDocument", "xl/workbook.xml")),
        ("xl/_rels/workbook.xml.rels", relations("worksheet", "worksheets/sheet1.xml")),
        (
            "xl/workbook.xml",
            format!(
                r#"<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(r#"<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>"#),
        ),
    ])
}

#[shared_testing::test]
async fn a_tree_of_folders_and_files_is_imported() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Inbox", None).await;
    let sum = r#"<row r="1"><c r="A1"><v>900</v></c><c r="B1"><f>SUM(A1:A1)</f></c></row>"#;
    let note = json!({"title": "T", "content": "x", "tags": ["home"]}).to_string();
    let root = source(
        &stage,
        &[
            ("Minutes.md", b"\xef\xbb\xbf# Minutes\r\n\r\nAll **agreed**.\r\n"),
            ("Meetings/Empty/.keep", b""),
            ("Meetings/Q3%3A what.MARKDOWN", b"text"),
            ("Meetings/Budget.csv", b"Item,Cost\r\nRent\r\nSum,=SUM(B1:B1)\r\n"),
            ("Meetings/Costs.xlsx", &workbook(sum)),
            ("Note.txt", b"first\r\nsecond"),
            ("Tagged.note.json", note.as_bytes()),
        ],
    );
    let actor = r#"{"type":"user","id":"ada","display_name":"Ada"}"#;
    let output = import(&stage, &root, &["--parent", &folder, "--actor", actor]);
    assert_eq!(said(0, &output), "8 added, 0 unchanged, 0 changed, 0 in the trash, 0 refused, 1 hidden\n");

    let top = children(&ada, &folder).await;
    assert_eq!(names(&top), ["Meetings", "Minutes", "Note", "Tagged"]);
    let meetings = children(&ada, top[0]["id"].text()).await;
    assert_eq!(names(&meetings), ["Budget", "Costs", "Empty", "Q3: what"]);
    let minutes = content(&ada, &top[1]).await;
    assert_eq!(minutes["blocks"][0]["segments"], json!([{"text": "Minutes"}]));
    assert!(minutes["blocks"][1]["id"].is_string(), "blocks have ids");
    assert_eq!(content(&ada, &top[2]).await, json!({"title": "Note", "content": "first\nsecond"}));
    assert_eq!(content(&ada, &top[3]).await["tags"], json!(["home"]));
    let cells = json!([["Item", "Cost"], ["Rent", ""], ["Sum", "=SUM(B1:B1)"]]);
    assert_eq!(content(&ada, &meetings[0]).await["sheets"], json!([{"name": "Sheet1", "cells": cells}]));
    let cells = json!([["900", "=SUM(A1:A1)"]]);
    assert_eq!(content(&ada, &meetings[1]).await["sheets"], json!([{"name": "Costs", "cells": cells}]));
    assert!(children(&ada, meetings[2]["id"].text()).await.is_empty());
    let versions = ada.get(format!("/v1/files/{}/versions", top[1]["id"].text())).await.status(200);
    assert_eq!((&versions["items"][0]["via"], &versions["items"][0]["actor"]["id"]), (&json!("import"), &json!("ada")));
}

#[shared_testing::test]
async fn a_second_import_adds_nothing_and_reports_changed_files() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::folder(&ada, "Elsewhere", None).await;
    let root = source(&stage, &[("a.md", b"one"), ("b.txt", b"two"), ("f/c.txt", b"three"), ("f/d.txt", b"four")]);
    said(0, &import(&stage, &root, &[]));
    let top = children(&ada, "root").await;
    assert_eq!(names(&top), ["Elsewhere", "a", "b", "f"]);
    let (a, b, f) = (top[1]["id"].text(), top[2]["id"].text(), top[3]["id"].text());
    // A rename or a move in the workspace makes no difference.
    samples::command(&ada, a, "rename", json!({"name": "z"})).await.await.status(200);
    let again = "0 added, 5 unchanged, 0 changed, 0 in the trash, 0 refused, 0 hidden\n";
    assert_eq!(said(0, &import(&stage, &root, &[])), again);
    assert_eq!(stage.count("files"), 6);

    fs::write(root.join("b.txt"), "another").expect("the file is written");
    let reported = said(1, &import(&stage, &root, &[]));
    assert!(reported.contains(&format!("b.txt: changed since it was imported as {b}")), "{reported}");
    assert_eq!(content(&ada, &top[2]).await["content"], "two");

    samples::command(&ada, b, "trash", json!({})).await.await.status(200);
    samples::command(&ada, f, "trash", json!({})).await.await.status(200);
    let reported = said(0, &import(&stage, &root, &[]));
    assert!(reported.contains(&format!("b.txt: in the trash as {b}: ")), "{reported}");
    assert!(reported.ends_with("0 added, 1 unchanged, 0 changed, 2 in the trash, 0 refused, 0 hidden\n"), "{reported}");

    samples::command(&ada, b, "purge", json!({})).await.await.status(200);
    samples::command(&ada, f, "purge", json!({})).await.await.status(200);
    let reported = said(0, &import(&stage, &root, &[]));
    assert_eq!(reported, "4 added, 1 unchanged, 0 changed, 0 in the trash, 0 refused, 0 hidden\n");
    symlink(&root, stage.folder().join("link")).expect("the link is made");
    assert!(said(0, &import(&stage, &stage.folder().join("link"), &[])).starts_with("0 added, 5 unchanged"));
    // A single file has the same path as in its folder.
    assert!(said(0, &import(&stage, &root.join("a.md"), &[])).starts_with("0 added, 1 unchanged"));
}

#[shared_testing::test]
async fn refused_files_are_reported_and_the_rest_is_imported() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::folder(&ada, "Elsewhere", None).await;
    let bomb = archive(&[("xl/workbook.xml", " ".repeat(40_000_000))]);
    let expected: &[(&str, &[u8], &str)] = &[
        ("photo.jpg", b"", "must be a file whose name ends with one of .document.json, "),
        ("photo.json", b"{}", "must be a file whose name ends with one of "),
        ("latin.md", b"caf\xe9", "must be UTF-8; byte 4 is not"),
        ("nul.txt", b"a\0b", "/content must have no control characters except newline and tab"),
        ("large.txt", &vec![b'a'; 4_194_305], "must be at most 4194304 bytes"),
        ("long.txt", &vec![b'a'; 500_001], "/content must be at most 500000 bytes in UTF-8, has 500001"),
        ("rows.csv", &b"a,b\n".repeat(3000), "must have at most 2000 rows and 64 columns"),
        ("evil.csv", b"a\n=HYPERLINK(\"http://e\";\"x\")", "A2 of sheet 1 must be a formula of operators"),
        ("sheet.csv", b"=Other!A1", "A1 of sheet 1 must be a formula"),
        ("bomb.xlsx", &bomb, "must be a readable Office file: it has no part for the workbook"),
        ("cut.xlsx", &bomb[..100], "must be a readable Office file; it is damaged"),
        (
            "far.xlsx",
            &workbook(r#"<row r="1"><c r="ZZ1"><v>1</v></c></row>"#),
            "must have at most 2000 rows and 64 columns; cell ZZ1 is outside",
        ),
        ("twice.note.json", br#"{"title":"a","title":"b","content":""}"#, "must "),
        ("deep.document.json", &b"[".repeat(100_000), "must nest at most "),
        ("wrong.note.json", br#"{"title":"a"}"#, "must have the member"),
        ("a%2Fb.txt", b"", "as a name must have no slash"),
        ("%2E%2E.txt", b"", "as a name must not be \".\" or \"..\""),
        (" blank.txt", b"", "as a name must not begin or end with a space"),
        ("esc\u{1b}[2J.txt", b"", "as a name must have no slash and no control characters"),
        ("bad\u{202e}folder/inner.txt", b"", "as a name must have no invisible characters"),
    ];
    let files: Vec<_> = expected.iter().map(|(name, bytes, _)| (*name, *bytes)).collect();
    let root = source(&stage, &files);
    fs::write(root.join(OsStr::from_bytes(b"\xff.txt")), "").expect("the file is written");
    symlink(".", root.join("loop")).expect("the link is made");
    assert!(Command::new("mkfifo").arg(root.join("pipe.txt")).status().expect("mkfifo runs").success());
    fs::write(root.join("zz.txt"), "good").expect("the file is written");

    let reported = said(1, &import(&stage, &root, &[]));
    for (name, _, why) in expected {
        let name =
            name.split('/').next().expect("a name").replace('\u{1b}', r"\u{1b}").replace('\u{202e}', r"\u{202e}");
        let line = reported.lines().find(|line| line.contains(&format!("/{name}: ")));
        assert!(line.is_some_and(|line| line.contains(why)), "{name}: {why}: {reported}");
    }
    assert!(reported.contains("/loop: must be a file or a folder: symbolic links are not followed"), "{reported}");
    assert!(reported.contains("/pipe.txt: must be a file or a folder"), "{reported}");
    assert!(reported.contains("must have a name in UTF-8"), "{reported}");
    assert!(!reported.contains(['\u{1b}', '\u{202e}']), "nothing acts on a terminal");
    let refused = expected.len() + 3;
    let tally = format!("error: 1 added, 0 unchanged, 0 changed, 0 in the trash, {refused} refused, 0 hidden\n");
    assert!(reported.ends_with(&tally), "{reported}");
    assert_eq!(names(&children(&ada, "root").await), ["Elsewhere", "zz"]);
}

#[shared_testing::test]
async fn too_deep_folders_and_files_beyond_the_quota_are_reported() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::folder(&ada, "Elsewhere", None).await;
    let deep = format!("{}x.txt", "d/".repeat(33));
    let root = source(&stage, &[(&deep, b"x")]);
    let reported = said(1, &import(&stage, &root, &[]));
    assert!(reported.contains("/parent_id must be at most 32 folders deep"), "{reported}");
    assert!(
        reported.ends_with("32 added, 0 unchanged, 0 changed, 0 in the trash, 1 refused, 0 hidden\n"),
        "{reported}"
    );

    let used = ada.get("/v1/workspaces").await.status(200)["workspaces"][0]["storage_used_bytes"].as_i64();
    let quota = (used.expect("a number") + 2_500).to_string();
    assert!(cloud(&stage, &["workspace", "set-quota", "ws_1", &quota]).status.success());
    fs::remove_dir_all(&root).expect("the folder is removed");
    let kilobyte = [b'a'; 1_000];
    let root = source(&stage, &[("1.txt", &kilobyte), ("2.txt", &kilobyte), ("3.txt", &kilobyte), ("4.txt", b"small")]);
    let reported = said(1, &import(&stage, &root, &[]));
    assert!(reported.contains("3.txt: The workspace's storage quota is"), "{reported}");
    assert!(reported.ends_with("3 added, 0 unchanged, 0 changed, 0 in the trash, 1 refused, 0 hidden\n"), "{reported}");
    assert!(cloud(&stage, &["workspace", "set-quota", "ws_1", "1000000"]).status.success());
    assert!(said(0, &import(&stage, &root, &[])).starts_with("1 added, 3 unchanged"));
}

#[shared_testing::test]
async fn an_import_that_is_killed_again_and_again_ends_with_each_file_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::folder(&ada, "Elsewhere", None).await;
    let files: Vec<_> = (0..300).map(|number| format!("f{}/{number}.txt", number % 7)).collect();
    let files: Vec<_> = files.iter().map(|path| (path.as_str(), path.as_bytes())).collect();
    let root = source(&stage, &files);
    for target in [20, 90, 91, 200] {
        let mut running = Command::new(env!("CARGO_BIN_EXE_cloud-svc"))
            .args(["import", "--workspace", "ws_1"])
            .arg(&root)
            .env_clear()
            .env("DATABASE_URL", &stage.context.settings.database_url)
            .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET)
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        while stage.count("files") < target && running.try_wait().expect("our own child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        running.kill().expect("our own child can be killed");
        running.wait().expect("our own child can be waited for");
    }
    let reported = said(0, &import(&stage, &root, &[]));
    assert!(reported.contains(" 0 changed, 0 in the trash, 0 refused, 0 hidden"), "{reported}");
    assert_eq!((stage.count("files"), stage.count("imports"), stage.count("versions")), (308, 307, 300));
}

#[shared_testing::test]
async fn an_import_needs_an_existing_target() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada").workspace(2);
    let root = source(&stage, &[("a.txt", b"x")]);
    let reported = said(1, &import(&stage, &root, &[]));
    assert!(reported.starts_with("error: There is no workspace ws_1: "), "{reported}");
    assert!(said(0, &import(&stage, &root, &["--create"])).starts_with("1 added"));
    let elsewhere = samples::folder(&ada, "Of another workspace", None).await;
    let reported = said(1, &import(&stage, &root, &["--parent", &elsewhere]));
    assert_eq!(reported, "error: There is no such parent folder.\n");
    let reported = said(1, &import(&stage, &root.join("missing"), &[]));
    assert!(reported.contains("there is no such file or folder"), "{reported}");
    said(2, &import(&stage, &root, &["--actor", "{}"]));
    said(2, &import(&stage, &root, &["--actor", r#"{"type":"user","id":"a\u001b","display_name":"A"}"#]));
}
