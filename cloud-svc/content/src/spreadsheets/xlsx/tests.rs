//! What a workbook is for other programs. The import of the service reads it back.

use std::io::{Cursor, read_to_string};

use serde_json::json;
use shared_model::json_reader;
use zip::ZipArchive;

use super::xlsx;
use crate::spreadsheets::content::SpreadsheetContent;

#[test]
fn the_same_content_gives_the_same_bytes() {
    let cells = json!([["Rent", "900.50", "=SUM(B1:B1)"], ["-1", "=Other!A1", "TRUE"]]);
    let content = json!({"kind": "sheets", "sheets": [{"name": "A/B", "cells": cells}, {"name": "Other", "cells": [[""]]}],
        "formats": {"0:0:1": {"align": "right", "wrap": true}, "0:900000000:1": {"wrap": true}},
        "validation": {"0:0:1": {"type": "number"}, "0:1:1": {"type": "list", "values": ["Yes", "No"]},
                       "0:1:2": {"type": "list", "values": ["a,b"]}},
        "widths": [[120, 0, 600]]});
    let content: SpreadsheetContent = json_reader::read(&content).expect("accepted");
    let first = xlsx(&content).expect("written");
    assert_eq!(xlsx(&content).expect("written"), first);
    assert!(first.starts_with(b"PK"));
}

#[test]
fn a_formula_that_programs_refuse_is_text() {
    let is_formula = |formula: &str| {
        let cells = json!([["1", formula]]);
        let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]});
        let content: SpreadsheetContent = json_reader::read(&content).expect("accepted");
        assert!(content.formula_problems().is_empty(), "{formula}");
        let mut archive = ZipArchive::new(Cursor::new(xlsx(&content).expect("written"))).expect("an archive");
        let part = archive.by_name("xl/worksheets/sheet1.xml").expect("a sheet");
        read_to_string(part).expect("text").contains("<f>")
    };
    let text = |units: usize| format!("=A1&\"{}\"", "\"\"".repeat(units));
    let sum = |count: usize| format!("=SUM({})", vec!["A1"; count].join(","));
    for formula in [
        &*text(256),
        &*format!("=A1&\"{}\"", "🧀".repeat(128)),
        &*sum(256),
        "=SUM()",
        "=ROUND(A1)",
        "=ROUND(A1,1,1)",
        "=IF(A1)",
        "=IF(A1,2,3,4)",
        "=ABS()",
        "=1e400",
        "=-(1+SUM(A1,ABS(A1,2)%))",
        &*format!("=A1&{}", vec!["\"abcdefgh\""; 800].join("&")),
    ] {
        assert!(!is_formula(formula), "{formula}");
    }
    for formula in [&*text(255), &*sum(255), "=SUM(A1:A2)", "=ROUND(A1,)", "=IF(A1,2)", "=IF(A1,,3)", "=ABS(-1e300)"] {
        assert!(is_formula(formula), "{formula}");
    }
}
