//! What a workbook is for other programs. The import of the service reads it back.

use serde_json::json;
use shared_model::json_reader;

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
