//! Workbooks that would take time and memory, and files that are not workbooks.

use std::ops::Range;

use super::*;
use crate::{office::xml::PARTS_BYTES, spreadsheets::import::cells::checked};

#[test]
fn a_sheet_is_as_large_as_its_cells_and_not_as_it_says() {
    let rows = r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
    let outside = "sheet 1 must have at most 2000 rows and 64 columns; cell XFD1048576 is outside";
    assert_eq!(refused(&workbook(rows, "<sst/>")), outside, "by its number, because a refusal quotes no names");
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
    let most = usize::try_from(PARTS_BYTES).expect("it fits");
    let bomb = workbook(&format!("<!--{}-->", " ".repeat(1_000)).repeat(most / 1_000), "<sst/>");
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    assert_eq!(refused(&bomb), "must unpack to at most 33554432 bytes");
    let picture = Book { parts: &[("xl/media/image1.png", &" ".repeat(most))], ..Book::default() };
    assert_eq!(refused(&picture.bytes()), "must unpack to at most 33554432 bytes");
    assert!(refused(&workbook(&" ".repeat(2_000_000), "<sst/>")).contains("no text of more than 1048576 bytes"));
    for texts in
        [r#"<sst uniqueCount="99999999999999"/>"#, r#"<!-- uniqueCount="1" --><sst uniqueCount = '12345678'/>"#]
    {
        assert!(refused(&workbook("", texts)).contains("fewer than 350000 shared texts"), "{texts}");
    }
}

#[test]
fn what_is_no_workbook_is_refused() {
    let whole = workbook(r#"<row r="1"><c r="A1"><v>1</v></c></row>"#, "<sst/>");
    for bytes in [&b""[..], b"PK", b"PK\x03\x04garbage", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &archive(&[("a", "b")])] {
        assert!(refused(bytes).contains("Office file"), "{bytes:?}");
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

#[test]
fn sizes_beyond_those_of_a_spreadsheet_are_named() {
    let many: Vec<_> = (0..11).map(|sheet| format!("S{sheet}")).collect();
    let sheets: Vec<_> = many.iter().map(|name| (name.as_str(), "<sheetData/>")).collect();
    assert!(refused(&Book { sheets: &sheets, ..Book::default() }.bytes()).contains("1 to 10 sheets"));
    assert!(read(&Book { sheets: &sheets[..10], ..Book::default() }.bytes()).is_ok());
    let broken = Book { sheets: &sheets, parts: &[("xl/broken.xml", "<a")], ..Book::default() };
    assert!(refused(&broken.bytes()).contains("1 to 10 sheets"), "before the parts are read");
    let parts: Vec<_> = (0..1_900).map(|part| format!("xl/{part}.xml")).collect();
    let parts: Vec<_> = parts.iter().map(|name| (name.as_str(), "<a/>")).collect();
    let more = r#"<sheet name="S" r:id="r0"/>"#.repeat(19_000);
    assert!(refused(&Book { more: &more, parts: &parts, ..Book::default() }.bytes()).contains("1 to 10 sheets"));
    for (cell, named) in [("A2001", "A2001"), ("BM1", "BM1")] {
        let rows = format!(r#"<row><c r="{cell}"><v>1</v></c></row>"#);
        assert!(refused(&workbook(&rows, "<sst/>")).ends_with(&format!("64 columns; cell {named} is outside")));
    }
    assert!(read(&workbook(r#"<row><c r="BL2000"><v>1</v></c></row>"#, "<sst/>")).is_ok());
    let rows = format!(r#"<row><c r="B3" t="inlineStr"><is><t>{}</t></is></c></row>"#, "a".repeat(131_073));
    assert_eq!(refused(&workbook(&rows, "<sst/>")), "B3 of sheet 1 must be at most 10000 characters");
    // Each row is short, but all rows get the length of the longest.
    let wide = r#"<sheetData><row><c r="BL1"><v>1</v></c></row><row><c r="A2000"><v>1</v></c></row></sheetData>"#;
    let sheets: Vec<_> = many[..3].iter().map(|name| (name.as_str(), wide)).collect();
    assert!(refused(&Book { sheets: &sheets, ..Book::default() }.bytes()).contains("1000000 bytes"));
}

#[test]
fn many_small_things_are_refused_before_the_reader_keeps_them() {
    let long = "a".repeat(10_000);
    let formats = format!(
        r#"<numFmts><numFmt numFmtId="200" formatCode="{long}"/></numFmts><cellXfs>{}</cellXfs>"#,
        r#"<xf numFmtId="200"/>"#.repeat(5_000)
    );
    let fonts = format!("<fonts>{}</fonts>", "<font/>".repeat(400_000));
    for styles in [&formats, &fonts] {
        assert!(refused(&Book { styles, ..Book::default() }.bytes()).contains("fewer cell formats"));
    }
    let names = r#"<definedName name="a"/>"#.repeat(30_000);
    assert!(refused(&Book { more: &names, ..Book::default() }.bytes()).contains("20000 elements"));
    assert!(refused(&workbook("", &format!("<sst>{}</sst>", "<si/>".repeat(400_000)))).contains("350000 shared texts"));
    let texts = format!("<sst><si>{}</si></sst>", format!("<t>{}</t>", "a".repeat(1_000)).repeat(4_200));
    assert!(refused(&workbook("", &texts)).contains("4194304 bytes of shared texts"));
    let parts: Vec<_> = (0..3_000).map(|part| format!("xl/media/{part}")).collect();
    let parts: Vec<_> = parts.iter().map(|name| (name.as_str(), "")).collect();
    assert!(refused(&Book { parts: &parts, ..Book::default() }.bytes()).contains("2000 parts"));
}

/// A workbook whose cells in these rows share the formula of A1. `value` is their last value, in XML.
fn sharing(terms: usize, value: &str, rows: Range<usize>) -> Vec<u8> {
    let formula = sum(terms);
    let first = format!(r#"<row r="1"><c r="A1"><f t="shared" ref="A1:BL2000" si="1">{formula}</f>{value}</c></row>"#);
    let rest = format!(r#"<c><f t="shared" si="1"/>{value}</c>"#).repeat(60);
    let rows: String = rows.map(|row| format!(r#"<row r="{row}">{rest}</row>"#)).collect();
    workbook(&(first + &rows), "<sst/>")
}

fn sum(terms: usize) -> String {
    vec!["A1"; terms].join("+")
}

#[test]
fn a_long_formula_is_not_copied_again_and_again() {
    let bytes = sharing(20_001, "<v>1</v>", 2..500);
    assert_eq!(read(&bytes).expect("read")[0].cells[1][1], "1");
    // Not the long formula, moved to this cell.
    assert_eq!(warned(&bytes)[1].2, "Budget!A2: the formula shared with another cell is replaced by 1");
}

#[test]
fn copies_of_a_shared_formula_have_a_bound() {
    // Each copy is longer than a cell may be, so no cell has it.
    let bytes = sharing(3_333, "", 1_000..2_000);
    assert_eq!(read(&bytes).expect("read")[0].cells, [[format!("={}", sum(3_333))]]);
}

/// A sheet with these lists of choices: their cells, and their texts.
fn choices(rules: &[(&str, &str)]) -> Vec<u8> {
    let rule = |(cells, texts): &(&str, &str)| {
        format!(r#"<dataValidation type="list" sqref="{cells}"><formula1>"{texts}"</formula1></dataValidation>"#)
    };
    let rules: String = rules.iter().map(rule).collect();
    let sheet = format!("<sheetData/><dataValidations>{rules}</dataValidations>");
    Book { sheets: &[("Budget", &sheet)], ..Book::default() }.bytes()
}

/// How many cells have choices, and the codes of the warnings.
fn chosen(bytes: &[u8]) -> (usize, Vec<&'static str>) {
    let Imported { content, .. } = read_all(bytes).expect("read");
    let count = content.validation.iter().flat_map(|rules| rules.iter()).count();
    assert!(checked(content).expect("no failure").is_ok(), "the workbook is not refused as a whole");
    (count, warned(bytes).into_iter().map(|(code, ..)| code).collect())
}

#[test]
fn a_choice_that_no_rule_can_have_is_left_out() {
    assert_eq!(chosen(&choices(&[("A1:A10", &"x".repeat(1_000_000))])), (0, vec!["validations_dropped"]));
    assert_eq!(chosen(&choices(&[("A1", &"x".repeat(1_001))])), (0, vec!["validations_dropped"]));
    assert_eq!(chosen(&choices(&[("A1", &"x".repeat(1_000))])), (1, vec![]));
}

#[test]
fn choices_for_which_the_content_has_no_room_are_left_out() {
    let long = vec!["x".repeat(30); 20].join(",");
    assert_eq!(chosen(&choices(&[("A1:B2000", &long), ("C1:C5", "Yes,No")])), (5, vec!["layout_dropped"]));
    assert_eq!(chosen(&choices(&[("A1:A1000", &long)])), (1_000, vec![]));
}

#[test]
fn thousands_of_equal_choices_are_not_copied_again_and_again() {
    assert_eq!(chosen(&choices(&[("A1:B2000", "x"); 5_000])), (4_000, vec!["layout_dropped"]));
}

#[test]
fn entities_and_parts_of_other_names_are_refused() {
    let bomb = r#"<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>"#;
    assert_eq!(refused(&workbook("", bomb)), "must have no document type declaration");
    let whole = Book::default().bytes();
    assert!(read(&whole).is_ok());
    let package = |target: &str| {
        let relations = format!(
            r#"<Relationships><Relationship Id="r" Type="{OFFICE}/officeDocument" Target="{target}"/></Relationships>"#
        );
        archive(&[("_rels/.rels", &relations)])
    };
    for target in ["xl/workbook.bin", "xl/customXml/workbook.xml", "xl/&#120;.xml"] {
        assert!(refused(&package(target)).contains("names end with .xml"), "{target}");
    }
    assert!(refused(&package("xl/workbook.xml")).contains("no part for the workbook"));
}
