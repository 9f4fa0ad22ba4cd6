//! The texts and formulas of cells.

use super::*;

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
fn formulas_that_we_do_not_have_become_their_last_values() {
    let rows = r#"
        <row r="1"><c r="A1"><f>VLOOKUP(B1,C:D,2,0)</f><v>12</v></c><c r="B1"><f>[1]Other!A1</f><v>7</v></c></row>
        <row r="2"><c r="A2" t="str"><f>Rent</f><v>a name</v></c><c r="B2" t="b"><f>IF(TRUE(),1,2)</f><v>1</v></c></row>
        <row r="3"><c r="A3"><f t="array" ref="A3:A4">B1:B2*2</f><v>14</v></c><c r="B3"><f>NOW()</f></c></row>
        <row r="4"><c r="A4"><v>2</v></c><c r="B4" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
        <row r="5"><c r="A5"><f t="shared" si="5"/><v>3</v></c><c r="B5" t="e"><f>NA()</f><v>#N/A</v></c></row>
        <row r="6"><c r="A6"><f>Missing!A1</f><v>4</v></c><c r="B6" t="str"><f>UPPER("=x")</f><v>=X</v></c></row>
        <row r="7"><c r="A7" t="b"><f>FALSE()</f><v>0</v></c></row>"#;
    let bytes = workbook(rows, "<sst/>");
    let sheets = read(&bytes).expect("read");
    assert_eq!(
        sheets[0].cells,
        [
            ["12", "7"],
            ["a name", "=IF(TRUE,1,2)"],
            ["14", ""],
            ["2", "=1/0"],
            ["3", "#N/A"],
            ["4", "'=X"],
            ["FALSE", ""]
        ]
    );
    let replaced: Vec<_> = warned(&bytes).into_iter().filter(|(code, ..)| *code == "formula_replaced").collect();
    let places: Vec<_> = replaced.iter().map(|(_, place, _)| place.trim_start_matches("Budget!")).collect();
    assert_eq!(places, ["A1", "B1", "A2", "A3", "B3", "A5", "B5", "A6", "B6"]);
    assert_eq!(replaced[0].2, "Budget!A1: the formula VLOOKUP(B1,C:D,2,0) is replaced by 12");
    assert_eq!(replaced[3].2, "Budget!A3: the formula for several cells B1:B2*2 is replaced by 14");
    let empty = "Budget!B3: the formula NOW() cannot be kept and has no stored value, so the cell is empty";
    assert_eq!(replaced[4].2, empty);
}

/// What is said about the value of a formula in B1, beside the number 2, the text `Yes` and TRUE.
fn said(attributes: &str, formula: &str, value: &str) -> Option<String> {
    let cell = format!(r#"<c r="B1" {attributes}><f>{formula}</f>{value}</c>"#);
    let rest = r#"<c r="C1" t="inlineStr"><is><t>Yes</t></is></c><c r="D1" t="b"><v>1</v></c>"#;
    let rows = format!(r#"<row r="1"><c r="A1"><v>2</v></c>{cell}{rest}</row>"#);
    let warned = warned(&workbook(&rows, "<sst/>"));
    let (_, place, message) = warned.into_iter().find(|(code, ..)| *code == "formula_values_changed")?;
    assert_eq!(place, "Budget!B1");
    message.strip_prefix("formulas have other values here than in the file: Budget!B1 ").map(str::to_owned)
}

#[test]
fn a_formula_with_another_value_here_is_warned_of() {
    let rows = r#"
        <row r="2"><c r="B2" s="3"><v>0.375</v></c></row>
        <row r="3"><c r="B3" s="3"><v>0.25</v></c></row>
        <row r="4"><c r="B4" s="3"><v>0.375</v></c><c r="C4" s="3"><f>B4</f><v>0.375</v></c></row>
        <row r="5"><c r="B5" s="3"><f>SUM(B2:B4)</f><v>1</v></c></row>"#;
    let warned = warned(&workbook(rows, "<sst/>"));
    let codes: Vec<_> = warned.iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["formula_values_changed", "dates_as_text", "number_formats_dropped"]);
    let message = "formulas have other values here than in the file: Budget!B5 (24:00:00 there, 0 here)";
    assert_eq!((warned[0].1.as_str(), warned[0].2.as_str()), ("Budget!B5", message));
    for (attributes, formula, value, expected) in [
        (r#"t="str""#, r#"IF(C1="yes","x","")"#, "x", "(x there, no text here)"),
        ("", "SUM(A1,D1:D1)", "2", "(2 there, 3 here)"),
        (r#"t="e""#, "1/0", "#N/A", "(#N/A there, #DIV/0! here)"),
        ("", "A1", "2.000001", "(2.000001 there, 2 here)"),
    ] {
        assert_eq!(said(attributes, formula, &format!("<v>{value}</v>")).as_deref(), Some(expected), "{formula}");
    }
}

#[test]
fn a_value_that_is_written_in_another_way_is_the_same() {
    for (attributes, formula, value) in [
        ("", "1/3", "<v>0.333333333333333</v>"),
        ("", "0.1+0.2", "<v>0.30000000000000004</v>"),
        ("", "SUM(0.1,0.2,-0.3)", "<v>5.55111512312578E-17</v>"),
        ("", "123456789*987654321", "<v>1.21932631112635E+17</v>"),
        (r#"t="b""#, "A1&gt;1", "<v>1</v>"),
        ("", "A1&gt;1", "<v>1</v>"),
        ("", "E1", "<v>0</v>"),
        (r#"t="e""#, "1/0", "<v>#DIV/0!</v>"),
        (r#"t="str""#, "C1&amp;A1", "<v>Yes2</v>"),
        (r#"t="str""#, "C1", "<v></v>"),
        ("", "C1", ""),
    ] {
        assert_eq!(said(attributes, formula, value), None, "{formula}");
    }
}

#[test]
fn the_first_formulas_with_other_values_are_named() {
    let row = |row: usize| format!(r#"<row r="{row}"><c r="A{row}"><f>1</f><v>2</v></c></row>"#);
    let warned = warned(&workbook(&(1..=5).map(row).collect::<String>(), "<sst/>"));
    let message = "formulas have other values here than in the file: Budget!A1 (2 there, 1 here), Budget!A2 (2 there, 1 here), Budget!A3 (2 there, 1 here) and 2 more";
    assert_eq!(warned, [("formula_values_changed", "Budget!A1".to_owned(), message.to_owned())]);
}

#[test]
fn no_more_formulas_are_named_than_help() {
    let row = |row: usize| format!(r#"<row r="{row}"><c r="A{row}"><f>PI()</f><v>3</v></c></row>"#);
    let warned = warned(&workbook(&(1..=150).map(row).collect::<String>(), "<sst/>"));
    assert_eq!(warned.len(), 101);
    assert_eq!(warned[100].2, "50 more formulas are replaced by their last values");
}

#[test]
fn a_shared_formula_keeps_the_names_of_sheets() {
    let rows = r#"<sheetData>
        <row r="1"><c r="A1"><f t="shared" ref="A1:A2" si="0">Q1!B1&amp;"B1"</f></c></row>
        <row r="2"><c r="A2"><f t="shared" si="0"/></c></row></sheetData>"#;
    let sheets = [("Budget", rows), ("Q1", "<sheetData/>"), ("Q2", "<sheetData/>")];
    let sheets = read(&Book { sheets: &sheets, ..Book::default() }.bytes()).expect("read");
    assert_eq!(sheets[0].cells, [["=Q1!B1&\"B1\""], ["=Q1!B2&\"B1\""]]);
}

#[test]
fn a_shared_formula_is_copied_from_the_cell_that_has_it() {
    // The cell with the formula is not the first of its range.
    let rows = r#"
        <row r="1"><c r="B1"><f t="shared" ref="A1:B2" si="0">D1+TRUE()</f></c></row>
        <row r="2"><c r="A2"><f t="shared" si="0"/></c><c r="B2"><f t="shared" si="0"/></c></row>"#;
    let sheets = read(&workbook(rows, "<sst/>")).expect("read");
    assert_eq!(sheets[0].cells, [["", "=D1+TRUE"], ["=C2+TRUE", "=D2+TRUE"]]);
}

#[test]
fn dates_are_those_of_their_system() {
    let rows = r#"<sheetData><row r="1"><c r="A1" s="1"><v>44886</v></c><c r="B1" s="2"><v>0.5</v></c><c r="C1" t="d"><v>2026-11-22</v></c></row></sheetData>"#;
    let book = Book { sheets: &[("Budget", rows)], more: r#"<workbookPr date1904="1"/>"#, ..Book::default() };
    assert_eq!(read(&book.bytes()).expect("read")[0].cells, [["2026-11-22", "12:00:00", "2026-11-22"]]);
    let since_1900 = Book { sheets: &[("Budget", rows)], ..Book::default() };
    assert_eq!(read(&since_1900.bytes()).expect("read")[0].cells[0][0], "2022-11-21");
}

#[test]
fn texts_are_joined_and_unescaped() {
    let texts = format!(
        r#"<sst {NS}><si><r><rPr><b/></rPr><t>Rent </t></r><r><t xml:space="preserve"> &amp; food</t></r></si><si><t>a_x000D_
b_x0041_</t></si><si><t/></si></sst>"#
    );
    let rows = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><r><t>x</t></r><r><t>y</t></r></is></c></row>"#;
    assert_eq!(read(&workbook(rows, &texts)).expect("read")[0].cells, [["Rent & food", "a\nbA", "", "xy"]]);
}

#[test]
fn numbers_in_formats_of_zeros_are_as_they_are_shown() {
    let styles = r#"<numFmts><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="2"/><xf numFmtId="165"/></cellXfs>"#;
    let rows = r#"<sheetData><row r="1"><c r="A1" s="1"><v>900.5</v></c><c r="B1" s="1"><v>1.239</v></c><c r="C1" s="2"><v>1067</v></c></row></sheetData>"#;
    let book = Book { sheets: &[("Budget", rows)], styles, ..Book::default() };
    assert_eq!(read(&book.bytes()).expect("read")[0].cells, [["900.50", "1.239", "01067"]]);
    assert_eq!(warned(&book.bytes()).iter().map(|(code, ..)| *code).collect::<Vec<_>>(), ["number_formats_dropped"]);
}
