//! Tools that copy, move, rename, trash and upload files.

use serde_json::Value;
use shared_model::Problem;
use shared_runtime::mcp::{Arguments, Effect, Tool, ToolArgument};

use super::{
    arguments::{file_id, if_match, parent_id},
    text, upload_small_file,
};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "copy_file",
            Effect::Adds,
            &["copy_file", "convert_file"],
            "Copy a file. convert: make a native file from an upload (Markdown, CSV, XLSX, text).",
        )
        .taking([file_id(), ToolArgument::text("name"), parent_id(), ToolArgument::flag("convert")])
        .choosing(copy_or_convert)
        .writing(text::files::changed),
        Tool::new(
            "move_or_rename",
            Effect::Replaces,
            &["rename_file", "move_file"],
            "Rename a file (name), or move it to a folder (parent_id).",
        )
        .taking([file_id(), if_match(), ToolArgument::text("name"), parent_id()])
        .choosing(move_or_rename)
        .writing(text::files::changed),
        Tool::new(
            "trash_or_restore",
            Effect::Replaces,
            &["trash_file", "restore_file"],
            "Move a file or folder to the trash, or restore it.",
        )
        .taking([file_id(), if_match(), ToolArgument::word("action", &["trash", "restore"]).required(), parent_id()])
        .choosing(trash_or_restore)
        .writing(text::files::changed),
        Tool::new(
            "upload_small_file",
            Effect::Adds,
            &["create_upload"],
            "Upload any file up to 262144 bytes, in base64. Larger ones: POST /v1/uploads.",
        )
        .taking([
            ToolArgument::text("name").required(),
            ToolArgument::text("mime").required(),
            ToolArgument::text("content_base64").required(),
            parent_id(),
        ])
        .steps(|call| Box::pin(upload_small_file::upload(call)))
        .writing(text::files::changed),
    ]
}

fn copy_or_convert(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    match arguments.remove("convert") {
        Some(Value::Bool(true)) => Ok("convert_file"),
        None | Some(Value::Bool(false)) => Ok("copy_file"),
        Some(_) => Err(problem("convert", "must be true or false")),
    }
}

// Not both in one call: each is an operation with its own key, and the second could fail after the first.
fn move_or_rename(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    match (arguments.contains_key("name"), arguments.contains_key("parent_id")) {
        (true, false) => Ok("rename_file"),
        (false, true) => Ok("move_file"),
        (true, true) => Err(problem("name", "must be absent if parent_id is present: call the tool once for each")),
        (false, false) => Err(problem("name", "must be present, or parent_id")),
    }
}

fn trash_or_restore(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    match arguments.remove("action").as_ref().and_then(Value::as_str) {
        Some("trash") => Ok("trash_file"),
        Some("restore") => Ok("restore_file"),
        _ => Err(problem("action", "must be one of trash and restore")),
    }
}

fn problem(at: &str, rule: &str) -> Problem {
    Problem { at: format!("/{at}"), rule: rule.to_owned() }
}
