//! `read_file`: shows what a file says, whatever its type.

use serde_json::{Value, json};
use shared_model::Failure;
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Effect, FOR_TEXT, Outcome, Tool, ToolArgument, ToolCall},
};

use super::{
    arguments::{cursor, file_id},
    read_upload, text,
};
use crate::files::file::FileAnswer;
use cloud_content::{
    file_type::FileType,
    kinds::native_kind,
    limits::SHEET_RANGE_CELLS,
    name_key::name_key,
    spreadsheets::{GET_RANGE, LIST_SHEETS, a1::column::Column},
};

// A model's context is small, so text comes in pages.
const PAGE_BYTES: usize = 16_000;
/// A workbook comes whole up to this size.
const WHOLE_CELLS: u64 = 200;
/// Pages and slides come whole up to this size, and as an outline beyond it.
const WHOLE_BYTES: usize = 40_000;

// The first one decides the scope. The others are those that it calls, so that refusals lead here.
const OPERATIONS: &[&str] =
    &["get_document", "get_note", "get_publication", "get_presentation", "get_spreadsheet", LIST_SHEETS, GET_RANGE];

pub(super) fn tools() -> Vec<Tool> {
    let tool = Tool::new(
        "read_file",
        Effect::Reads,
        OPERATIONS,
        "Read any file, also an uploaded text. Documents are Markdown, each block after its id. Cells of a \
         spreadsheet (range or sheet) have computed values after formulas; a small one comes whole.",
    );
    let tool = tool.taking([
        file_id(),
        ToolArgument::text("version_id").says("an older version"),
        ToolArgument::text("range").says("Budget!A1:D20"),
        ToolArgument::text("sheet"),
        ToolArgument::text("view"),
        cursor(),
    ]);
    vec![tool.writing(text::content::write).steps(|call| Box::pin(read(call)))]
}

async fn read(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let named: Arguments =
        call.arguments.get("file_id").map(|id| ("file_id".to_owned(), id.clone())).into_iter().collect();
    let found = call.call("get_file", named.clone()).await?;
    let CallResult::Answered(json) = &found else { return Ok(Outcome::Finished(found)) };
    let FileAnswer { file } = serde_json::from_str(json)?;
    let mut arguments = std::mem::take(&mut call.arguments);
    if file.kind != FileType::Spreadsheet
        && let Some(name) = ["range", "sheet"].into_iter().find(|name| arguments.contains_key(*name))
    {
        let rule = "must be absent: the file is not a spreadsheet";
        return call.refused_argument(GET_RANGE, name, rule).map(Outcome::Finished);
    }
    // The type decides the operation, so an agent need not know it.
    let Some(kind) = native_kind(file.kind) else {
        // A PDF may look like text, but nobody can read it as text.
        if matches!(file.kind, FileType::Folder | FileType::Pdf) {
            return Ok(Outcome::Finished(call.call("get_file_details", named).await?));
        }
        return read_upload::read(&call, &file, &arguments, PAGE_BYTES).await.map(Outcome::Finished);
    };
    let has_range = arguments.contains_key("range");
    let has_version = arguments.contains_key("version_id");
    if has_version && let Some(name) = ["range", "sheet"].into_iter().find(|name| arguments.contains_key(*name)) {
        let rule = "must be absent with version_id: an earlier version is read whole, without values";
        return call.refused_argument(kind.read.id, name, rule).map(Outcome::Finished);
    }
    if has_range && arguments["range"].as_str().is_some_and(is_open) {
        let rule = "must be cells such as B1:B20. Without range, the size of each sheet is listed";
        return call.refused_argument(GET_RANGE, "range", rule).map(Outcome::Finished);
    }
    let operation = match file.kind {
        FileType::Spreadsheet if has_version => kind.read.id,
        FileType::Spreadsheet if has_range => {
            arguments.insert("computed".to_owned(), "true".into());
            GET_RANGE
        }
        FileType::Spreadsheet => LIST_SHEETS,
        FileType::Document => {
            page(&mut arguments, "blocks");
            kind.read.id
        }
        FileType::Note if ["view", "cursor"].iter().all(|name| !arguments.contains_key(*name)) => {
            return note(&call, kind.read.id, arguments).await.map(Outcome::Finished);
        }
        FileType::Note => {
            page(&mut arguments, "markdown");
            kind.read.id
        }
        _ => {
            // A long file has this view by default, and a cursor continues in it.
            if ["view", "cursor"].into_iter().any(|name| arguments.contains_key(name)) {
                page(&mut arguments, "outline");
            }
            kind.read.id
        }
    };
    let sheet = if operation == LIST_SHEETS { arguments.remove("sheet") } else { None };
    let read = call.call(operation, arguments.clone()).await?;
    if operation == LIST_SHEETS {
        return sheets(&call, arguments, sheet, read).await.map(Outcome::Finished);
    }
    if let CallResult::Answered(json) = &read
        && json.len() > WHOLE_BYTES
        && matches!(file.kind, FileType::Publication | FileType::Presentation)
        && !arguments.contains_key("view")
    {
        page(&mut arguments, "outline");
        return Ok(Outcome::Finished(call.call(operation, arguments).await?));
    }
    Ok(Outcome::Finished(read))
}

/// All of a note, or what it is called and the beginning of a long text.
async fn note(call: &ToolCall<'_>, operation: &str, asked: Arguments) -> Result<CallResult, Failure> {
    let whole = call.call(operation, asked.clone()).await?;
    let CallResult::Answered(json) = &whole else { return Ok(whole) };
    let mut body: Value = serde_json::from_str(json)?;
    if body["content"]["content"].as_str().is_none_or(|content| content.len() <= PAGE_BYTES) {
        return Ok(whole);
    }
    let mut arguments = asked;
    page(&mut arguments, "markdown");
    let beginning = call.call(operation, arguments).await?;
    let CallResult::Answered(json) = &beginning else { return Ok(beginning) };
    let mut shown: Value = serde_json::from_str(json)?;
    let mut members = body["content"].take();
    // The beginning has it.
    members["content"] = Value::Null;
    shown[FOR_TEXT] = members;
    Ok(CallResult::Answered(shown.to_string()))
}

/// The list of sheets, with the cells of a small workbook or of the sheet that is asked for.
async fn sheets(
    call: &ToolCall<'_>,
    file: Arguments,
    sheet: Option<Value>,
    list: CallResult,
) -> Result<CallResult, Failure> {
    let CallResult::Answered(json) = &list else { return Ok(list) };
    let mut body: Value = serde_json::from_str(json)?;
    let sheets: Vec<(String, u64, u64)> = body["sheets"].as_array().into_iter().flatten().map(size).collect();
    let cells: u64 = sheets.iter().map(|(_, rows, columns)| rows * columns).sum();
    let name = sheet.as_ref().and_then(Value::as_str);
    let wanted: Vec<_> = match name {
        Some(name) => sheets.into_iter().filter(|(known, ..)| name_key(known) == name_key(name)).collect(),
        None if cells <= WHOLE_CELLS => sheets,
        None => return Ok(list),
    };
    let mut ranges = Vec::new();
    for (name, all, columns) in wanted {
        // As many rows as one answer may have.
        let together = (SHEET_RANGE_CELLS as u64 / columns.max(1)).max(1);
        let rows = all.clamp(1, together);
        let last = column_name(columns);
        if rows < all {
            let next = format!("A{}:{last}{}", rows + 1, all.min(rows + together));
            let rest = format!("Rows 1 to {rows} of {all}. Continue with the same sheet and range {next}.");
            body[FOR_TEXT] = json!({"rest": rest});
        }
        let mut arguments = file.clone();
        arguments.insert("sheet".to_owned(), name.into());
        arguments.insert("range".to_owned(), format!("A1:{last}{rows}").into());
        arguments.insert("computed".to_owned(), "true".into());
        match call.call(GET_RANGE, arguments).await? {
            CallResult::Answered(json) => ranges.push(serde_json::from_str::<Value>(&json)?["range"].take()),
            refused @ CallResult::Refused(_) => return Ok(refused),
        }
    }
    if ranges.is_empty() {
        return call.refused_argument(LIST_SHEETS, "sheet", "must be the name of a sheet of this workbook");
    }
    body["ranges"] = Value::Array(ranges);
    Ok(CallResult::Answered(body.to_string()))
}

/// The name of a sheet, its rows and its columns.
fn size(sheet: &Value) -> (String, u64, u64) {
    let number = |member: &str| sheet[member].as_u64().unwrap_or_default();
    (sheet["name"].as_str().unwrap_or_default().to_owned(), number("rows"), number("columns"))
}

/// Whether a range has no corner: `B:B`, `2:4`.
fn is_open(range: &str) -> bool {
    let cells = range.rsplit('!').next().unwrap_or_default();
    let has = |is: fn(&u8) -> bool| cells.as_bytes().iter().any(is);
    cells.contains(':') && !(has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic))
}

/// The name of the last column.
fn column_name(columns: u64) -> String {
    Column(usize::try_from(columns).unwrap_or(1).saturating_sub(1)).to_string()
}

fn page(arguments: &mut Arguments, view: &str) {
    let view = arguments.entry("view").or_insert_with(|| view.into());
    // The full view has no pages.
    if *view != "full" {
        arguments.insert("max_bytes".to_owned(), Value::from(PAGE_BYTES));
    }
}
