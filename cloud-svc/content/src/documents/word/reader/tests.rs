//! Files that Word could have written, and hostile ones.

use std::{collections::HashSet, fs, io::Write as _, path::Path};

use crate::documents::{
    content::DocumentContent,
    word::{Choice, Paragraph, Tracked, Versions, choices, docx},
};
use serde_json::{Value, json};
use shared_model::json_reader;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::read;

fn document(blocks: Value) -> DocumentContent {
    json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document")
}

fn paragraph(before: &str, after: &str) -> Paragraph {
    Paragraph { before: before.to_owned(), after: after.to_owned() }
}

fn word(body: &str) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("word/document.xml", SimpleFileOptions::default()).expect("a zip file");
    write!(zip, r#"<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>"#).expect("a zip file");
    zip.finish().expect("a zip file").into_inner()
}

#[test]
fn a_plan_is_read_as_it_was_written() {
    let row = |one: &str, two: &str| json!([[{"text": one}], [{"text": two, "bold": true}]]);
    let before = document(json!([
        {"id": "a", "type": "heading1", "segments": [{"text": "Minutes & \"more\""}]},
        {"id": "b", "type": "paragraph", "segments": [{"text": "Begin at "}, {"text": "9:30", "bold": true}, {"text": "."}]},
        {"id": "c", "type": "divider", "segments": []},
        {"id": "d", "type": "number", "segments": [{"text": "See "}, {"text": "here", "link": "https://example.com/?a=1&b=2"}]},
        {"id": "t", "type": "table", "segments": [], "rows": [row("Rent", "900"), row("Food", "300")]},
    ]));
    let after = document(json!([
        {"id": "a", "type": "heading1", "segments": [{"text": "Minutes & \"more\""}]},
        {"id": "b", "type": "paragraph", "segments": [{"text": "Begin at "}, {"text": "10:00", "bold": true}, {"text": ".\nSharp."}]},
        {"id": "d", "type": "quote", "segments": [{"text": "See "}, {"text": "there", "link": "https://example.com/"}]},
        {"id": "t", "type": "table", "segments": [], "rows": [row("Rent", "950"), row("Food", "300")]},
        {"id": "e", "type": "paragraph", "segments": [{"text": "<end>"}]},
    ]));
    let by = Tracked { author: "\"ada\"", at: "2026-11-25T09:00:00Z" };
    let found =
        read(&docx(&Versions { before, after, moved: HashSet::new() }, by).expect("a Word file")).expect("paragraphs");
    let expected = [
        ("Minutes & \"more\"", "Minutes & \"more\""),
        ("Begin at 9:30.", "Begin at 10:00. Sharp."),
        ("* * *", ""),
        ("See here", ""),
        ("", "See there"),
        ("Rent 900 ", ""),
        ("", "Rent 950 "),
        ("Food 300 ", "Food 300 "),
        ("", "<end>"),
        ("", ""),
    ];
    assert_eq!(found, expected.map(|(before, after)| paragraph(before, after)));
}

#[test]
fn marks_of_moves_and_of_paragraph_ends_are_understood() {
    let body = r#"
        <w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>Stays.</w:t></w:r></w:p>
        <w:p><w:moveFrom w:id="2"><w:r><w:t>Moves</w:t><w:tab/><w:t>on.</w:t></w:r></w:moveFrom></w:p>
        <w:p><w:moveTo w:id="3"><w:r><w:t>Moves</w:t><w:br/><w:t>on.</w:t></w:r></w:moveTo></w:p>
        <w:p><w:ins w:id="4"><w:r><w:t>In and </w:t></w:r><w:del w:id="5"><w:r><w:delText>out</w:delText></w:r></w:del></w:ins></w:p>
        <w:tbl><w:tr><w:trPr><w:ins w:id="6"/></w:trPr><w:tc><w:p><w:pPr><w:rPr><w:del w:id="7"/></w:rPr></w:pPr>
        <w:r><w:t>Cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"#;
    let expected = [("Stays.", "Stays."), ("Moves on.", ""), ("", "Moves on."), ("", "In and "), ("", "Cell ")];
    assert_eq!(read(&word(body)).expect("paragraphs"), expected.map(|(before, after)| paragraph(before, after)));
}

#[test]
fn hostile_files_are_refused() {
    assert_eq!(read(b"plain"), Err("must be an Office file; its content is not one, or is encrypted".to_owned()));
    let entity = r#"<!DOCTYPE a [<!ENTITY b "b">]><w:document/>"#;
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("word/document.xml", SimpleFileOptions::default()).expect("a zip file");
    zip.write_all(entity.as_bytes()).expect("a zip file");
    let bytes = zip.finish().expect("a zip file").into_inner();
    assert_eq!(read(&bytes), Err("must have no document type declaration".to_owned()));
    let many = "<w:p/>".repeat(100_001);
    assert_eq!(read(&word(&many)), Err("must have at most 100000 paragraphs".to_owned()));
    assert!(read(&word(&"<w:p> </w:p>".repeat(4_000_000))).is_err_and(|error| error.starts_with("must ")));
    assert!(read(&word("<w:p><w:r><w:t>cut")).is_ok());
    let mut other = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    other.start_file("xl/workbook.xml", SimpleFileOptions::default()).expect("a zip file");
    assert_eq!(read(&other.finish().expect("a zip file").into_inner()), Err("must be a Word file (.docx)".to_owned()));
}

// `./test word --keep` writes these files.
#[test]
fn files_that_libreoffice_saved_tell_what_was_chosen() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/word");
    let kept: Value =
        serde_json::from_slice(&fs::read(data.join("versions.json")).expect("kept versions")).expect("JSON");
    let version = |name: &str| json_reader::read::<DocumentContent>(&kept[name]).expect("a document");
    let versions =
        Versions { before: version("before"), after: version("after"), moved: ["two".parse().expect("an id")].into() };
    for (file, choice) in [
        ("accepted", Choice::Accepted),
        ("rejected", Choice::Rejected),
        ("untouched", Choice::Open),
        ("plan", Choice::Open),
    ] {
        let paragraphs =
            read(&fs::read(data.join(file).with_extension("docx")).expect("a kept file")).expect("paragraphs");
        let found = choices(&versions, &paragraphs).expect("choices");
        let ids = ["begin", "costs", "gone", "kind", "line", "link", "new", "two"];
        let found: Vec<_> = found.iter().map(|(id, choice)| (id.as_str(), *choice)).collect();
        assert_eq!(found, ids.map(|id| (id, choice)), "{file}");
    }
}
