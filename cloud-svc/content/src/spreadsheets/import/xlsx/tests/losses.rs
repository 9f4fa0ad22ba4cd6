//! What is lost is said, and what can be kept is kept.

use serde_json::json;

use super::*;
use crate::{lost::Lost, spreadsheets::content::cell_rule::VALUES};

/// A workbook with a thing of each kind.
fn everything() -> Vec<u8> {
    let sheet = r#"<sheetViews><sheetView><pane ySplit="1"/></sheetView></sheetViews>
        <cols><col min="2" max="3" width="17.140625" customWidth="1"/><col min="5" max="5" hidden="1"/><col min="7" max="7" outlineLevel="1"/></cols>
        <sheetData>
        <row r="1" hidden="1"><c r="A1" s="7"><v>1</v></c><c r="B1" s="1"><v>46348</v></c><c r="C1" s="4"><v>0.125</v></c></row>
        <row r="2" outlineLevel="1"><c r="A2" t="e"><v>#N/A</v></c><c r="B2" t="inlineStr"><is><r><rPr><b/></rPr><t>=1</t></r></is></c><c r="C2" s="6" t="str"><v>007</v></c></row>
        <row r="3"><c r="A3"><f>PI()</f><v>3</v></c><c r="C3" s="6"/><c r="D3"><f>SUM(B1:B1)</f><v>46348</v></c></row>
        </sheetData>
        <sheetProtection sheet="1"/><autoFilter ref="A1:C1"/><mergeCells><mergeCell ref="A4:B4"/></mergeCells>
        <conditionalFormatting sqref="A1:A3"/>
        <dataValidations>
        <dataValidation type="list" sqref="A1:A2 C3"><formula1>"Yes, No"</formula1></dataValidation>
        <dataValidation type="list" sqref="B1"><formula1>$A$1:$A$2</formula1></dataValidation>
        <dataValidation type="list" sqref="B2:B1048576"><formula1>"x"</formula1></dataValidation>
        </dataValidations>
        <hyperlinks><hyperlink ref="A1"/></hyperlinks><headerFooter><oddHeader>x</oddHeader></headerFooter>
        <oleObjects><oleObject/></oleObjects>"#;
    Book {
        sheets: &[("Budget", sheet), ("Hidden", "<sheetData/>")],
        more: r#"<definedNames><definedName name="Rent">A1</definedName><definedName name="_xlnm.Print_Area">A1</definedName></definedNames><externalReferences><externalReference/></externalReferences>"#,
        parts: &[
            ("xl/theme/theme1.xml", "<theme/>"),
            ("xl/charts/chart1.xml", "<chart/>"),
            ("xl/media/image1.png", "PNG"),
            ("xl/drawings/drawing1.xml", "<wsDr><sp/></wsDr>"),
            ("xl/comments1.xml", "<comments/>"),
            ("xl/vbaProject.bin", "VBA"),
            ("xl/pivotTables/pivotTable1.xml", "<pivot/>"),
            ("xl/tables/table1.xml", "<table/>"),
            ("xl/connections.xml", "<connections/>"),
            ("customXml/item1.xml", "not XML & not read"),
            ("docProps/core.xml", "<core/>"),
        ],
        ..Book::default()
    }
    .bytes()
}

#[test]
fn each_kind_of_loss_has_one_warning() {
    let warned = warned(&everything());
    let codes: Vec<_> = warned.iter().map(|(code, ..)| *code).collect();
    // Behind them are those of Markdown.
    let all: Vec<_> =
        Lost::ALL.iter().map(|(word, _)| *word).take_while(|word| *word != "heading_levels_reduced").collect();
    assert_eq!(codes, all);
    let message = |code: &str| warned.iter().find(|(known, ..)| *known == code).map(|(_, _, message)| &**message);
    assert_eq!(message("merged_cells_split"), Some("merged cells are separate cells: Budget!A4:B4"));
    assert_eq!(message("defined_names_dropped"), Some("names of cells and ranges are left out: Rent"));
    assert_eq!(message("hidden_rows_shown"), Some("hidden rows are visible here: Budget row 1"));
    assert_eq!(message("other_parts_dropped"), Some("parts that are not known here are left out: customXml/item1.xml"));
}

#[test]
fn widths_alignment_and_choices_are_kept() {
    let content = read_all(&everything()).expect("read").content;
    let content = serde_json::to_value(content).expect("JSON");
    assert_eq!(content["widths"], json!([[64, 120, 120, 64, 0]]));
    assert_eq!(
        content["formats"],
        json!({"0:1:2": {"align": "center", "wrap": true}, "0:2:2": {"align": "center", "wrap": true}})
    );
    let choices = json!({"type": "list", "values": ["Yes", "No"]});
    assert_eq!(content["validation"]["0:0:0"], choices);
    assert_eq!(content["validation"]["0:2:2"], choices);
    assert_eq!(content["validation"]["0:2:1"], json!({"type": "list", "values": ["x"]}));
    assert_eq!(content["validation"].as_object().expect("an object").len(), 5);
}

#[test]
fn a_list_with_too_many_choices_is_lost_and_the_bound_is_said() {
    let warned = |count: usize| {
        let texts: Vec<_> = (0..count).map(|text| text.to_string()).collect();
        let texts = texts.join(",");
        let rule = format!(r#"<dataValidation type="list" sqref="A1"><formula1>"{texts}"</formula1></dataValidation>"#);
        let sheet = format!("<sheetData/><dataValidations>{rule}</dataValidations>");
        warned(&Book { sheets: &[("Budget", &sheet)], ..Book::default() }.bytes())
    };
    assert_eq!(warned(VALUES), []);
    let bound =
        format!("validation rules other than numbers and lists of at most {VALUES} texts are left out: Budget!A1");
    assert_eq!(warned(VALUES + 1), [("validations_dropped", "Budget!A1".to_owned(), bound)]);
}

#[test]
fn a_plain_workbook_has_no_warnings() {
    let rows =
        r#"<row r="1"><c r="A1"><f>SUM(B1:B2)</f><v>1</v></c><c r="B1"><v>1</v></c><c r="C1" s="5"><v>2</v></c></row>"#;
    assert_eq!(warned(&workbook(rows, "<sst/>")), []);
}

#[test]
fn the_number_format_of_a_formula_is_lost() {
    let codes = |cell: &str| {
        let rows = format!(r#"<row r="1">{cell}<c r="B1"><v>1</v></c></row>"#);
        warned(&workbook(&rows, "<sst/>")).into_iter().map(|(code, place, _)| (code, place)).collect::<Vec<_>>()
    };
    let dropped = [("number_formats_dropped", "Budget!A1".to_owned())];
    assert_eq!(codes(r#"<c r="A1" s="4"><f>B1/2</f><v>0.5</v></c>"#), dropped);
    assert_eq!(codes(r#"<c r="A1" s="5"><f>B1/2</f></c>"#), dropped);
    // A text looks the same in each of them.
    assert_eq!(codes(r#"<c r="A1" s="4" t="str"><f>"x"</f><v>x</v></c>"#), []);
}
