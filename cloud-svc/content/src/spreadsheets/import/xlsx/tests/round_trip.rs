//! What is exported is imported the same.

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};
use shared_model::json_reader;

use super::*;
use crate::spreadsheets::import::cells::checked;
use crate::spreadsheets::{content::SpreadsheetContent, literal::number, xlsx::xlsx};

fn content(value: &Value) -> SpreadsheetContent {
    json_reader::read(value).expect("accepted")
}

fn again(content: &SpreadsheetContent) -> Imported {
    read_all(&xlsx(content).expect("written")).expect("read")
}

/// The sheets without rows and columns at the end that have only empty cells: no file has those.
fn trimmed(sheets: &[Sheet]) -> Vec<Sheet> {
    let trim = |sheet: &Sheet| {
        let mut cells = sheet.cells.clone();
        while cells.len() > 1 && cells.last().is_some_and(|row| row.iter().all(String::is_empty)) {
            cells.pop();
        }
        let width = cells.iter().map(|row| row.iter().rposition(|text| !text.is_empty()).map_or(0, |at| at + 1)).max();
        cells.iter_mut().for_each(|row| row.truncate(width.unwrap_or(0).max(1)));
        Sheet { name: sheet.name.clone(), cells }
    };
    sheets.iter().map(trim).collect()
}

fn text() -> impl Strategy<Value = String> {
    let known = [
        "",
        "",
        "TRUE",
        "FALSE",
        "0",
        "-1.5",
        "1.50",
        "007",
        "-007.10",
        "123456789012345",
        "1234567890123456789",
        "0.1",
        "100000000000000000000",
        "'=1+1",
        "+1+1",
        "-1-1",
        "@SUM(A1)",
        "\t=1",
        " =1",
        "＝1",
        "_x0041_",
        "_x005F_x0041_",
        "a_x000D_b",
        "=1+1",
        "=SUM(A1:B2,$A$1)*2%",
        "=IF(A1>0,\"a\"\"b\",TRUE)",
        "=Other!A1&'It''s A1'!B2",
        "=\"_x0041_\"",
        "=-A1^2",
        "日本語",
        "é",
        "🧀❤\u{fe0f}",
        "a\nb",
        "\n",
        " a ",
        "<&>\"'",
        "#DIV/0!",
        "2026-11-22",
        "1,5",
        "1e5x",
        "]]>",
    ];
    prop_oneof![
        3 => select(known.to_vec()).prop_map(str::to_owned),
        // Numbers in other forms, such as `5.` and `1e3`, come back in this one.
        1 => "[ -<>-~é\\n\\t]{1,12}".prop_filter("a number", |text| number(text).is_none()),
        1 => "-?[1-9][0-9]{0,11}(\\.[0-9]{1,4})?",
    ]
}

fn workbooks() -> impl Strategy<Value = SpreadsheetContent> {
    let sheet = (1usize..6, 1usize..6)
        .prop_flat_map(|(rows, columns)| proptest::collection::vec(proptest::collection::vec(text(), columns), rows));
    (sheet.clone(), sheet.clone(), sheet).prop_map(|(first, second, third)| {
        let sheets = [("Budget", first), ("Other", second), ("It's A1", third)];
        let sheets = sheets.map(|(name, cells)| Sheet { name: name.to_owned(), cells }).to_vec();
        let content = content(&json!({"kind": "sheets", "sheets": [{"name": "x", "cells": [[""]]}]}));
        SpreadsheetContent { sheets, ..content }
    })
}

proptest! {
    // Debug builds take a tenth of a second for one.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn cells_survive_export_and_import(content in workbooks()) {
        prop_assume!(content.formula_problems().is_empty());
        let Imported { content: read, warnings } = again(&content);
        prop_assert_eq!(&read.sheets, &trimmed(&content.sheets), "{:?}", warnings);
        prop_assert!(warnings.iter().all(|warning| warning.code.as_str() == "text_like_number"), "{:?}", warnings);
        prop_assert!(checked(read).expect("no failure").is_ok());
    }
}

#[test]
fn layout_survives_export_and_import() {
    let whole = json!({"kind": "sheets", "sheets": [
            {"name": "Budget", "cells": [["Rent", "900.50"], ["Sum", "=SUM(B1:B1)"], ["", "-1"], ["TRUE", "+x"]]},
            {"name": "Other", "cells": [["1"]]},
        ],
        "formats": {"0:0:1": {"align": "right"}, "0:1:0": {"wrap": true}, "0:2:0": {"align": "left", "wrap": true},
            "0:3:1": {"align": "center"}, "1:9:9": {"align": "center"}},
        "validation": {"0:0:1": {"type": "number"}, "0:1:1": {"type": "number"}, "0:3:1": {"type": "number"},
            "1:0:0": {"type": "list", "values": ["1", "Two and a half"]}},
        "widths": [[120, 80], [0, 64, 600]]});
    let Imported { content: read, warnings } = again(&content(&whole));
    assert_eq!(serde_json::to_value(read).expect("JSON"), whole);
    assert_eq!(warnings, []);
}

#[test]
fn sheets_with_names_of_ours_get_other_names_and_formulas_follow() {
    let long = "a".repeat(40);
    let whole = content(&json!({"kind": "sheets", "sheets": [
        {"name": "2026/27", "cells": [[format!("={long}!A1&\"2026/27\"")]]}, {"name": long, "cells": [["x"]]},
    ]}));
    let sheets = again(&whole).content.sheets;
    assert_eq!(sheets[0].name, "2026_27");
    assert_eq!(sheets[0].cells, [[format!("='{}'!A1&\"2026/27\"", "a".repeat(31))]]);
}

#[test]
fn a_text_is_never_a_formula_there() {
    let cells = json!([["+1+1", "-cmd", "@A1", "\t=1", "'=1"]]);
    let whole = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}));
    let bytes = xlsx(&whole).expect("written");
    let mut zip = zip::ZipArchive::new(Cursor::new(&bytes)).expect("an archive");
    let mut part = |name: &str| std::io::read_to_string(zip.by_name(name).expect("a part")).expect("text");
    assert!(!part("xl/worksheets/sheet1.xml").contains("<f>"));
    // A program keeps such a text a text when a person edits it.
    assert!(part("xl/styles.xml").contains(r#"quotePrefix="1""#));
    assert!(part("docProps/core.xml").contains("2000-01-01T00:00:00Z"), "the time of the export is not in the file");
}
