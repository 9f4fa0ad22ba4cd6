//! Workbooks of other programs, and hostile ones.

use std::io::{Cursor, Write as _};

use zip::{ZipWriter, write::SimpleFileOptions};

use super::{archive::PARTS_BYTES, read as read_all};
use cloud_content::spreadsheets::content::sheet::Sheet;

const NS: &str = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part begins");
        zip.write_all(text.as_bytes()).expect("it is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A workbook with one sheet of these rows in XML, and these shared texts.
fn workbook(rows: &str, texts: &str) -> Vec<u8> {
    let package = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
    );
    let relationships = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#
    );
    let book = format!(
        r#"<workbook {NS} xmlns:r="{OFFICE}"><sheets><sheet name="Budget" sheetId="1" r:id="rId1"/></sheets></workbook>"#
    );
    let styles = format!(
        r#"<styleSheet {NS}><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs></styleSheet>"#
    );
    let sheet = format!(r#"<worksheet {NS}><sheetData>{rows}</sheetData></worksheet>"#);
    archive(&[
        ("_rels/.rels", &package),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &relationships),
        ("xl/styles.xml", &styles),
        ("xl/sharedStrings.xml", texts),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

fn read(bytes: &[u8]) -> Result<Vec<Sheet>, String> {
    read_all(bytes).map(|read| read.content.sheets)
}

fn refused(bytes: &[u8]) -> String {
    read(bytes).expect_err("refused")
}

#[test]
fn cells_have_the_text_that_a_person_sees() {
    let texts = format!(r#"<sst {NS} count="1" uniqueCount="1"><si><t>Rent &amp; food</t></si></sst>"#);
    let rows = r#"
        <row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2"><v>0.30000000000000004</v></c><c r="D2"><v>-1200</v></c></row>
        <row r="3"><c r="B3" t="b"><v>1</v></c><c r="C3" t="e"><v>#DIV/0!</v></c><c r="D3" t="inlineStr"><is><t>a</t></is></c></row>
        <row r="4"><c r="B4" s="1"><v>46348</v></c><c r="C4" s="2"><v>46348.395833333336</v></c><c r="D4" s="2"><v>0.5</v></c></row>
        <row r="5"><c r="B5" s="3"><v>1.1041666666666667</v></c><c r="C5" s="1"><v>1e300</v></c><c r="Z9" s="1"/></row>"#;
    let sheets = read(&workbook(rows, &texts)).expect("read");
    assert_eq!(sheets[0].name, "Budget");
    assert_eq!(
        sheets[0].cells[..4],
        [
            ["", "", "", ""],
            ["", "Rent & food", "0.3", "-1200"],
            ["", "TRUE", "#DIV/0!", "a"],
            ["", "2026-11-22", "2026-11-22 09:30:00", "12:00:00"],
        ]
    );
    assert_eq!(sheets[0].cells[4][1], "26:30:00");
    assert!(sheets[0].cells[4][2].starts_with("1000") && sheets[0].cells[4][2].len() == 301);
    assert_eq!(sheets[0].cells.len(), 5, "a cell with a format but no value does not count");
}

#[test]
fn formulas_are_their_source_and_shared_ones_are_copied() {
    let rows = r#"
        <row r="1"><c r="A1"><f>SUM(B1:B9)*$C$1</f><v>7</v></c></row>
        <row r="2"><c r="A2"><f t="shared" ref="A2:A4" si="4000000000">B2+$C$1</f><v>1</v></c></row>
        <row r="3"><c r="A3"><f t="shared" si="4000000000"/><v>1</v></c></row>"#;
    let sheets = read(&workbook(rows, "<sst/>")).expect("read");
    assert_eq!(sheets[0].cells, [["=SUM(B1:B9)*$C$1"], ["=B2+$C$1"], ["=B3+$C$1"]]);
}

#[test]
fn a_sheet_is_as_large_as_its_cells_and_not_as_it_says() {
    let rows = r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
    assert!(refused(&workbook(rows, "<sst/>")).contains("2000 rows and 64 columns"));
    let row = |cell: &str, row: usize| {
        let cells: Vec<_> = (0..64).map(|_| cell.to_owned()).collect();
        format!(r#"<row r="{row}">{}</row>"#, cells.concat())
    };
    // Each of many cells shares one long text.
    let texts = format!(r#"<sst {NS}><si><t>{}</t></si></sst>"#, "a".repeat(9_000));
    let rows: String = (1..100).map(|number| row(r#"<c t="s"><v>0</v></c>"#, number)).collect();
    assert!(refused(&workbook(&rows, &texts)).contains("1000000 bytes of text"));
}

#[test]
fn what_would_take_the_memory_is_refused_before_it_is_read() {
    let bomb = workbook(&" ".repeat(usize::try_from(PARTS_BYTES).expect("it fits")), "<sst/>");
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    assert_eq!(refused(&bomb), "must unpack to at most 33554432 bytes");
    for texts in
        [r#"<sst uniqueCount="99999999999999"/>"#, r#"<!-- uniqueCount="1" --><sst uniqueCount = '12345678'/>"#]
    {
        assert!(refused(&workbook("", texts)).contains("6 digits"), "{texts}");
    }
    assert_eq!(refused(&workbook("", "\0<sst/>")), "must be a workbook in UTF-8");
}

#[test]
fn what_is_no_workbook_is_refused() {
    let whole = workbook(r#"<row r="1"><c r="A1"><v>1</v></c></row>"#, "<sst/>");
    for bytes in [&b""[..], b"PK", b"PK\x03\x04garbage", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &archive(&[("a", "b")])] {
        assert!(refused(bytes).contains("workbook"), "{bytes:?}");
    }
    for end in (0..whole.len()).step_by(7) {
        assert!(read(&whole[..end]).is_err(), "cut at {end}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x41;
        // It ends without a panic, whether the byte mattered or not.
        if let Ok(sheets) = read(&damaged) {
            assert_eq!(sheets.len(), 1, "damaged at {at}");
        }
    }
}
