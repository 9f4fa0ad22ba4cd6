//! Cells: rows of columns with tabs.

use serde_json::Value;
use shared_runtime::mcp::{FOR_TEXT, Written};

use super::{IN_TRASH, if_match, one_line, text};

/// The list of the sheets of a workbook.
pub(super) fn list(body: &Value) -> Option<Written> {
    let sheets = body["sheets"].as_array()?;
    let row = |sheet: &Value| {
        let name = one_line(text(sheet, "name"));
        format!("{name}\t{}\t{}\t{}", sheet["rows"], sheet["columns"], sheet["formulas"])
    };
    let rows: Vec<_> = sheets.iter().map(row).collect();
    let mut written = begin(body);
    if let Some(rest) = body[FOR_TEXT]["rest"].as_str() {
        written = written.line(rest);
    }
    if let Some(ranges) = body["ranges"].as_array() {
        let shown: Option<Vec<_>> = ranges.iter().map(cells).collect();
        return Some(written.quoting(shown?.join("\n\n")));
    }
    Some(written.quoting(format!("sheet\trows\tcolumns\tformulas\n{}", rows.join("\n"))))
}

/// Cells of one sheet: the number of the row first. A formula is followed by its value.
pub(super) fn range(body: &Value) -> Option<Written> {
    Some(begin(body).quoting(cells(body.get("range")?)?))
}

fn begin(body: &Value) -> Written {
    let written = Written::default().line(if_match(&body["file"]));
    if text(&body["file"], "state") == "trashed" { written.line(IN_TRASH) } else { written }
}

fn cells(range: &Value) -> Option<String> {
    let rows = range["rows"].as_array()?;
    let address = |cell: &Value| text(cell, "cell").to_owned();
    let column = |cell: &Value| address(cell).trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let number = |cell: &Value| address(cell).trim_start_matches(|c: char| c.is_ascii_alphabetic()).to_owned();
    let columns: Vec<_> = rows.first().and_then(Value::as_array).into_iter().flatten().map(column).collect();
    let mut lines = vec![format!("\t{}", columns.join("\t"))];
    for row in rows {
        let cells = row.as_array()?;
        let first = cells.first().map(number).unwrap_or_default();
        let shown: Vec<_> = cells.iter().map(cell).collect();
        lines.push(format!("{first}\t{}", shown.join("\t")));
    }
    let place = format!("{}!{}", one_line(text(range, "sheet")), text(range, "range"));
    Some(format!("{place}\n{}", lines.join("\n")))
}

fn cell(cell: &Value) -> String {
    let source = one_line(text(cell, "value"));
    // Both, so that an agent that writes back what it read does not replace a formula by its value.
    if cell["formula"] == true && cell["computed"].is_object() {
        return format!("{source} → {}", computed(&cell["computed"]));
    }
    source
}

pub(super) fn computed(computed: &Value) -> String {
    match &computed["value"] {
        Value::String(text) => one_line(text),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
