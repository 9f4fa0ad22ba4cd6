//! Workbooks of spreadsheet programs: exported, downloaded, converted, and imported within a bound of memory.

use std::{
    fs,
    io::{Cursor, Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use cloud_svc::service;
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use crate::{
    commands::cloud,
    samples,
    uploads::{link, named as uploaded, sha256},
};

const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

fn budget() -> Value {
    json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["Rent", "900.50"], ["Food", "+400"], ["Sum", "=SUM(B1:B2)*'It''s'!A1"]]},
        {"name": "It's", "cells": [["TRUE"]]},
    ], "formats": {"0:2:1": {"align": "right"}}, "widths": [[120]]})
}

async fn spreadsheet(ada: &Caller) -> String {
    let body = json!({"name": "Budget", "content": budget()});
    samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200))
}

fn convert(ada: &Caller, file: &str, body: Value) -> Request {
    ada.post(format!("/v1/files/{file}/convert")).fresh_key().json(body)
}

#[derive(Clone, Copy, Default)]
struct Book<'a> {
    styles: &'a str,
    texts: &'a str,
    more: &'a str,
    sheets: &'a [String],
    empty_parts: usize,
}

impl Book<'_> {
    fn bytes(&self) -> Vec<u8> {
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let root = format!(
            r#"<Relationships><Relationship Id="r" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
        );
        let (mut relationships, mut sheets) = (String::new(), String::new());
        for index in 0..self.sheets.len() {
            relationships += &format!(
                r#"<Relationship Id="r{index}" Type="{office}/worksheet" Target="worksheets/sheet{index}.xml"/>"#
            );
            sheets += &format!(r#"<sheet name="S{index}" r:id="r{index}"/>"#);
        }
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut part = |name: &str, text: &str| {
            zip.start_file(name, SimpleFileOptions::default()).expect("a part begins");
            zip.write_all(text.as_bytes()).expect("it is written");
        };
        part("_rels/.rels", &root);
        part("xl/_rels/workbook.xml.rels", &format!("<Relationships>{relationships}</Relationships>"));
        part("xl/workbook.xml", &format!("<workbook><sheets>{sheets}</sheets>{}</workbook>", self.more));
        part("xl/styles.xml", &format!("<styleSheet>{}</styleSheet>", self.styles));
        part("xl/sharedStrings.xml", &format!("<sst>{}</sst>", self.texts));
        for (index, sheet) in self.sheets.iter().enumerate() {
            let sheet = format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>");
            part(&format!("xl/worksheets/sheet{index}.xml"), &sheet);
        }
        (0..self.empty_parts).for_each(|index| part(&format!("xl/media/{index}"), ""));
        zip.finish().expect("the archive ends").into_inner()
    }
}

#[shared_testing::test]
async fn a_workbook_goes_out_whole_and_comes_in_whole() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = spreadsheet(&ada).await;
    let export = |query: &str| ada.get(format!("/v1/spreadsheets/{id}/export?{query}"));
    let csv = export("sheet=Budget").await.status(200);
    let exported = export("format=xlsx").await.status(200);
    assert_eq!(exported.header("content-type"), MEDIA_TYPE);
    assert_eq!(exported.header("content-disposition"), "attachment; filename=\"workbook.xlsx\"");
    for name in ["x-content-type-options", "cache-control", "content-security-policy"] {
        assert_eq!(exported.header(name), csv.header(name), "{name}");
    }
    assert_eq!(exported.header("x-content-type-options"), "nosniff");
    export("format=xlsx&sheet=Budget").await.refused(422, "invalid_field").problems_at(&["sheet"]);
    export("format=xlsx&raw=true").await.refused(422, "invalid_field").problems_at(&["raw"]);
    export("format=csv").await.refused(422, "invalid_field").problems_at(&["sheet"]);
    stage
        .caller("bob")
        .workspace(2)
        .get(format!("/v1/spreadsheets/{id}/export?format=xlsx"))
        .await
        .refused(404, "not_found");

    let linked = link(&ada, &id, json!({"format": "xlsx"})).await;
    assert_eq!((&linked["filename"], &linked["mime"]), (&json!("Budget.xlsx"), &json!(MEDIA_TYPE)));
    assert_eq!(linked["sha256"], json!(sha256(exported.bytes())), "the link promises the bytes that come");
    let path = linked["url"].text().strip_prefix(stage.base_url()).expect("a URL of ours").to_owned();
    assert_eq!(stage.anyone().get(path).await.status(200).bytes(), exported.bytes());

    let folder = samples::folder(&ada, "Inbox", None).await;
    let upload = uploaded(&ada, "Budget 2.XLSX", exported.bytes()).await;
    let converted = convert(&ada, &upload, json!({"parent_id": folder})).await.status(200);
    assert_eq!(converted["import"], json!({"warnings": []}));
    let file = &converted["file"];
    assert_eq!(
        (&file["name"], &file["type"], &file["parent_id"]),
        (&json!("Budget 2"), &json!("spreadsheet"), &json!(folder))
    );
    let read = ada.get(format!("/v1/spreadsheets/{}", file["id"].text())).await.status(200);
    let mut expected = budget();
    // Only the sign of a positive number is lost.
    expected["sheets"][0]["cells"][1][1] = json!("400");
    assert_eq!(read["content"], expected);
}

#[shared_testing::test]
async fn a_conversion_happens_once_and_its_answer_stays() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let rows = r#"<row><c r="A1"><f>NOW()</f><v>5</v></c><c r="B1" t="e"><v>#N/A</v></c></row>"#.to_owned();
    let upload = uploaded(&ada, "Costs.xlsx", &Book { sheets: &[rows], ..Book::default() }.bytes()).await;
    let once = || ada.post(format!("/v1/files/{upload}/convert")).key("once").json(json!({"name": "Kept"}));
    let answers = join_all((0..8).map(|_| async { once().await.status(200) })).await;
    for answer in &answers {
        assert_eq!(answer["file"]["id"], answers[0]["file"]["id"]);
        assert_eq!(answer["content_is_untrusted"], true, "{answer}");
    }
    let warnings = answers[0]["import"]["warnings"].as_array().expect("warnings").clone();
    assert_eq!(
        warnings,
        [
            json!({"code": "formula_replaced", "where": "S0!A1", "message": "S0!A1: the formula NOW() is replaced by 5"}),
            json!({"code": "errors_as_text", "where": "S0!B1", "message": "errors are text: S0!B1"}),
        ]
    );
    assert_eq!(stage.count("files"), 2);
    samples::command(&ada, &upload, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &upload, "purge", json!({})).await.await.status(200);
    assert_eq!(once().await.status(200)["import"]["warnings"], json!(warnings));
    convert(&ada, &upload, json!({})).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn other_uploads_become_what_their_names_say() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (name, bytes, kind) in [
        ("Costs.csv", &b"Rent,900\r\n"[..], "spreadsheet"),
        ("Plan.md", b"# Plan\n", "document"),
        ("Note.txt", b"milk", "note"),
    ] {
        let upload = uploaded(&ada, name, bytes).await;
        let file = convert(&ada, &upload, json!({})).await.status(200)["file"].clone();
        assert_eq!(
            Some((file["name"].text(), file["type"].text())),
            name.split_once('.').map(|(stem, _)| (stem, kind))
        );
        ada.get(format!("/v1/{kind}s/{}", file["id"].text())).await.status(200);
    }
}

#[shared_testing::test]
async fn what_cannot_be_converted_leaves_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let bomb = Book { sheets: &[format!("<!--{}-->", " ".repeat(1_000)).repeat(34_000)], ..Book::default() }.bytes();
    let bomb = uploaded(&ada, "bomb.xlsx", &bomb).await;
    let photo = uploaded(&ada, "photo.jpg", b"x").await;
    let evil = uploaded(&ada, "evil.csv", b"=HYPERLINK(1)").await;
    let text = uploaded(&ada, "text.xlsx", b"a text").await;
    let open = uploaded(&ada, "open.csv", b"name,sum\n\"Anna,1\nBen,2\n").await;
    let large = uploaded(&ada, "large.csv", &vec![b'a'; 4_194_305]).await;
    let long = uploaded(&ada, "long.csv", &[b'a'; 10_001]).await;
    let far = r#"<row r="2001"><c r="A2001"><v>1</v></c></row>"#.to_owned();
    let far = uploaded(&ada, "far.xlsx", &Book { sheets: &[far], ..Book::default() }.bytes()).await;
    let cut = uploaded(&ada, "cut.xlsx", b"PK\x03\x04").await;
    let links = samples::links(2_097_153 - 150 * 22).to_string();
    let links = uploaded(&ada, "links.document.json", links.as_bytes()).await;
    let good = uploaded(&ada, "good.csv", b"1").await;
    let folder = samples::folder(&ada, "Folder", None).await;
    let native = spreadsheet(&ada).await;
    let count = stage.count("files");
    let said = |body: String, what: &str| assert!(body.contains(what), "{body}");
    said(convert(&ada, &bomb, json!({})).await.refused(422, "invalid_field").body(), "at most 33554432 bytes");
    said(convert(&ada, &evil, json!({})).await.refused(422, "invalid_field").body(), "A1 of sheet 1");
    for (file, what) in [
        (&photo, ".xlsx"),
        (&large, "4194304"),
        (&text, "an Office file"),
        (&open, "line 2 is never closed"),
        (&long, "file_id cannot be converted: A1 of sheet 1 must be at most 10000 bytes in UTF-8, has 10001."),
        (&far, "file_id cannot be converted: sheet 1 must have at most 2000 rows and 64 columns; cell A2001"),
        (&cut, "file_id must be a readable Office file; it is damaged."),
        (&links, "file_id must have at most 2097152 bytes as JSON (request_bytes), has 2097153."),
        (&folder, "an uploaded file"),
        (&native, "an uploaded file"),
    ] {
        let refused = convert(&ada, file, json!({})).await.refused(422, "invalid_field");
        said(refused.problems_at(&["file_id"]).body(), what);
    }
    convert(&ada, &good, json!({"parent_id": good})).await.refused(409, "parent_not_folder");
    convert(&stage.caller("bob").workspace(2), &good, json!({})).await.refused(404, "not_found");
    assert!(cloud(&stage, &["workspace", "set-quota", "ws_1", "0"]).status.success());
    convert(&ada, &good, json!({})).await.refused(413, "quota_exceeded");
    samples::command(&ada, &good, "trash", json!({})).await.await.status(200);
    convert(&ada, &good, json!({})).await.refused(409, "file_trashed");
    assert_eq!(stage.count("files"), count);
}

#[shared_testing::test]
async fn the_command_line_writes_workbooks_and_says_what_one_loses() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    spreadsheet(&ada).await;
    let folder = stage.folder().join("out");
    let path = folder.to_str().expect("UTF-8");
    assert!(cloud(&stage, &["export", "--workspace", "ws_1", "--xlsx", path]).status.success());
    assert!(folder.join("Budget.spreadsheet.json").exists());
    let workbook = folder.join("Budget.xlsx");
    let imported = cloud(&stage, &["import", "--workspace", "ws_1", workbook.to_str().expect("UTF-8")]);
    let said = String::from_utf8_lossy(&imported.stderr);
    assert_eq!(said, "1 added, 0 unchanged, 0 changed, 0 in the trash, 0 refused, 0 hidden\n");
    let rows = r#"<row><c r="A1"><f>NOW()</f><v>5</v></c></row>"#.to_owned();
    fs::write(&workbook, Book { sheets: &[rows], ..Book::default() }.bytes()).expect("written");
    let imported =
        cloud(&stage, &["import", "--workspace", "ws_1", "--parent", &samples::folder(&ada, "F", None).await, path]);
    let said = String::from_utf8_lossy(&imported.stderr);
    assert!(said.contains("Budget.xlsx: warning: S0!A1: the formula NOW() is replaced by 5\n"), "{said}");
}

/// Workbooks that take as much memory as they may, and some that would take more.
fn hostile() -> Vec<Vec<u8>> {
    let texts = format!("<si><t>{}</t></si>", "a".repeat(12)).repeat(340_000);
    let formats = format!(
        r#"<numFmts><numFmt numFmtId="200" formatCode="{}"/></numFmts><cellXfs>{}</cellXfs>"#,
        "0".repeat(250),
        r#"<xf numFmtId="200"><alignment horizontal="center"/></xf>"#.repeat(12_000)
    );
    let names = r#"<definedName name="a">b</definedName>"#.repeat(19_900);
    let styled = vec![
        r#"<row><c r="A1"/></row>"#.to_owned()
            + &format!("<row>{}</row>", r#"<c s="1"/>"#.repeat(64)).repeat(1_999);
        10
    ];
    let arrays = vec![format!("<row>{}</row>", r#"<c><f t="array"/></c>"#.repeat(64)).repeat(1_000); 5];
    let numbers = vec![format!("<row>{}</row>", "<c><v>1</v></c>".repeat(64)).repeat(450); 8];
    let shared = vec![format!("<row>{}</row>", r#"<c t="s"><v>7</v></c>"#.repeat(64)).repeat(500); 1];
    let book = Book { texts: &texts, styles: &formats, more: &names, ..Book::default() };
    vec![
        Book { sheets: &styled, ..book }.bytes(),
        Book { sheets: &arrays, ..book }.bytes(),
        Book { sheets: &numbers, ..book }.bytes(),
        Book { sheets: &shared, ..book }.bytes(),
        Book { sheets: &shared, empty_parts: 1_900, ..Book::default() }.bytes(),
        Book { sheets: &[format!("<!--{}-->", " ".repeat(1_000)).repeat(34_000)], ..Book::default() }.bytes(),
        Book { sheets: &[" ".repeat(30_000_000)], ..Book::default() }.bytes(),
        Book { texts: &"<si/>".repeat(400_000), ..Book::default() }.bytes(),
        Book { styles: &format!("<cellXfs>{}</cellXfs>", "<xf/>".repeat(400_000)), ..Book::default() }.bytes(),
        Book { sheets: &[r#"<row><c r="XFD1048576"><v>1</v></c></row>"#.to_owned()], ..Book::default() }.bytes(),
    ]
}

/// The most memory that an import of a folder ever had, in KiB, and what it said.
fn peak(stage: &Stage, folder: &Path) -> (u64, String) {
    let mut running = Command::new(env!("CARGO_BIN_EXE_cloud-svc"))
        .args(["import", "--workspace", "ws_1", "--create"])
        .arg(folder)
        .env_clear()
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let status = format!("/proc/{}/status", running.id());
    let mut peak = 0;
    while running.try_wait().expect("our own child").is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    let said = running.wait_with_output().expect("it ended");
    (peak, String::from_utf8_lossy(&said.stderr).into_owned())
}

#[shared_testing::test]
async fn no_workbook_takes_more_than_64_mebibytes() {
    let stage = Stage::of(service()).await;
    let (plain, large) = (stage.folder().join("plain"), stage.folder().join("large"));
    for folder in [&plain, &large] {
        fs::create_dir(folder).expect("the folder is made");
        // They come last, so that the peak can be read before the command ends.
        (0..100).for_each(|n| fs::write(folder.join(format!("z{n}.txt")), "x").expect("written"));
    }
    for (index, bytes) in hostile().into_iter().enumerate() {
        assert!(bytes.len() < 4_194_304, "{index} is tried at all");
        fs::write(large.join(format!("{index}.xlsx")), bytes).expect("written");
    }
    let (baseline, _) = peak(&stage, &plain);
    let (peak, said) = peak(&stage, &large);
    println!("{baseline} KiB, {peak} KiB\n{said}");
    assert!(baseline > 0 && peak > baseline, "{baseline} {peak}");
    assert!(peak - baseline <= 65_536, "{peak} KiB, {baseline} KiB without workbooks: {said}");
    assert!(said.contains("must unpack to at most"), "{said}");
    assert!(said.contains("must have fewer cell formats"), "{said}");
}

#[shared_testing::test]
async fn formulas_go_out_with_their_values() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let cells = json!([["2", "=A1*3", "=\"a\"&A1", "=A1>1", "=A1/0", "=F1", "=\"1\"&A1", "=1/8"]]);
    let body = json!({"name": "Sums", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let exported = ada.get(format!("/v1/spreadsheets/{id}/export?format=xlsx")).await.status(200);
    let mut book = ZipArchive::new(Cursor::new(exported.bytes())).expect("an archive");
    let mut sheet = String::new();
    book.by_name("xl/worksheets/sheet1.xml").expect("a sheet").read_to_string(&mut sheet).expect("text");
    for cell in [
        "><f>A1*3</f><v>6</v>",
        "t=\"str\"><f>\"a\"&amp;A1</f><v>a2</v>",
        "t=\"b\"><f>A1&gt;1</f><v>1</v>",
        "t=\"e\"><f>A1/0</f><v>#DIV/0!</v>",
        // A cycle, and a text that other programs would take for a number.
        "<f>F1</f><v></v>",
        "<f>\"1\"&amp;A1</f><v></v>",
        "<f>1/8</f><v>0.125</v>",
    ] {
        assert!(sheet.contains(cell), "{cell} is not in {sheet}");
    }
}
