//! Tools about drafts: content that is kept for a week without being a file.

use serde_json::Value;
use shared_model::{Error, Failure, Name};
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Effect, Outcome, Tool, ToolArgument, ToolCall},
};

use super::{arguments::parent_id, text};
use crate::{
    base::heavy::heavy,
    transfer::import::{
        import_text::at_text,
        source::{self, Format},
    },
};

pub(super) fn reading() -> Vec<Tool> {
    let tool = Tool::new(
        "list_drafts",
        Effect::Reads,
        &["list_scratch", "get_scratch"],
        "List your drafts; with draft_id, show one.",
    );
    let tool = tool
        .taking([ToolArgument::text("draft_id")])
        .choosing(|arguments| Ok(if arguments.contains_key("draft_id") { "get_scratch" } else { "list_scratch" }));
    vec![tool.writing(text::drafts::write)]
}

pub(super) fn writing() -> Vec<Tool> {
    vec![
        Tool::new(
            "save_draft",
            // With draft_id, the text before is gone: drafts have no versions.
            Effect::Replaces,
            &["create_scratch", "update_scratch"],
            "Store a draft for a week; with draft_id, change it. text as in create_file.",
        )
        .taking([
            ToolArgument::text("draft_id"),
            ToolArgument::word("type", &["document", "spreadsheet", "note"]).required(),
            ToolArgument::text("name").required(),
            ToolArgument::text("text").required(),
        ])
        .steps(|call| Box::pin(save(call)))
        .writing(text::drafts::write),
        Tool::new(
            "promote_draft",
            Effect::Replaces,
            &["promote_scratch"],
            "Make a file from a draft, or with file_id and if_match its next version.",
        )
        .taking([
            ToolArgument::text("draft_id").required(),
            parent_id(),
            ToolArgument::text("file_id"),
            ToolArgument::text("if_match"),
        ])
        .writing(text::files::changed),
        Tool::new("discard_draft", Effect::Replaces, &["discard_scratch"], "Delete a draft.")
            .taking([ToolArgument::text("draft_id").required()])
            .writing(text::drafts::write),
    ]
}

async fn save(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    const CREATE: &str = "create_scratch";
    let mut arguments = std::mem::take(&mut call.arguments);
    let words = |name: &str, arguments: &Arguments| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    let format = match words("type", &arguments).as_deref() {
        Some("document") => Format::Markdown,
        Some("spreadsheet") => Format::Csv,
        Some("note") => Format::Text,
        _ => return call.refuse(CREATE, "type", "must be one of document, spreadsheet and note"),
    };
    let Some(sent) = words("text", &arguments) else { return call.refuse(CREATE, "text", "must be a string") };
    let Some(name) = words("name", &arguments).and_then(|name| Name::parse(&name).ok()) else {
        return call.refuse(CREATE, "name", "must be the name of a file");
    };
    // As a new file of the same text would have it.
    let random = call.operations.context().random.clone();
    let read = heavy(move || source::read(format, &name, sent.as_bytes(), &random)).await?;
    let content = match read.map_err(at_text) {
        Ok(read) => read.content,
        Err(Error::Refused(refusal)) => return call.refused(CREATE, &refusal),
        Err(Error::Failed(failure)) => return Err(failure),
    };
    let mut content: Value = serde_json::from_str(content.as_str())?;
    // The draft draws the ids of its blocks. With those drawn here, a retry would be another command.
    let blocks =
        content.get_mut("blocks").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut);
    blocks.for_each(|block| _ = block.remove("id"));
    arguments.remove("text");
    arguments.insert("content".to_owned(), content);
    let operation = if arguments.contains_key("draft_id") {
        // A draft keeps its type.
        arguments.remove("type");
        "update_scratch"
    } else {
        CREATE
    };
    let saved: CallResult = call.call(operation, arguments).await?;
    Ok(Outcome::Finished(saved))
}
