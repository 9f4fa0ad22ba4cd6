//! `read_file`: shows what a file says, whatever its type.

use serde_json::Value;
use shared_model::Failure;
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Effect, Outcome, Tool, ToolArgument, ToolCall},
};

use super::{cursor, file_id, text};
use crate::files::file::FileAnswer;
use cloud_content::{
    file_type::FileType,
    kinds::native_kind,
    spreadsheets::{GET_RANGE, LIST_SHEETS},
};

// A model's context is small, so text comes in pages.
const PAGE_BYTES: u64 = 16_000;
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
        "Read a document, note, spreadsheet, publication or presentation. Documents are Markdown, each block behind its \
         id. A spreadsheet without range is its list of sheets; with range, its cells, and computed values behind formulas.",
    );
    let tool = tool.taking([
        file_id(),
        ToolArgument::text("version_id").says("an older version"),
        ToolArgument::text("range").says("Budget!A1:D20"),
        cursor(),
    ]);
    vec![tool.writing(text::content::write).steps(|call| Box::pin(read(call)))]
}

async fn read(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let file: Arguments =
        call.arguments.get("file_id").map(|id| ("file_id".to_owned(), id.clone())).into_iter().collect();
    let found = call.call("get_file_details", file).await?;
    let CallResult::Answered(json) = &found else { return Ok(Outcome::Finished(found)) };
    let FileAnswer { file } = serde_json::from_str(json)?;
    let mut arguments = std::mem::take(&mut call.arguments);
    let Some(kind) = native_kind(file.kind) else {
        // Its record says what it is; its bytes are for download_link.
        return Ok(Outcome::Finished(found));
    };
    let has_range = arguments.contains_key("range");
    let has_version = arguments.contains_key("version_id");
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
        FileType::Note => {
            page(&mut arguments, "markdown");
            kind.read.id
        }
        _ => kind.read.id,
    };
    if file.kind == FileType::Spreadsheet && has_version {
        arguments.remove("range");
    }
    let read = call.call(operation, arguments.clone()).await?;
    if let CallResult::Answered(json) = &read
        && json.len() > WHOLE_BYTES
        && matches!(file.kind, FileType::Publication | FileType::Presentation)
    {
        arguments.insert("view".to_owned(), "outline".into());
        arguments.insert("max_bytes".to_owned(), Value::from(PAGE_BYTES));
        return Ok(Outcome::Finished(call.call(operation, arguments).await?));
    }
    Ok(Outcome::Finished(read))
}

fn page(arguments: &mut Arguments, view: &str) {
    let view = arguments.entry("view").or_insert_with(|| view.into());
    // The full view has no pages.
    if *view != "full" {
        arguments.insert("max_bytes".to_owned(), Value::from(PAGE_BYTES));
    }
}
