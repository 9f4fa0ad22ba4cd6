//! Tools about comments.

use serde_json::Value;
use shared_model::{Failure, Problem};
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Effect, Outcome, Tool, ToolArgument, ToolCall},
};

use super::{
    arguments::{cursor, file_id, if_match},
    text,
};

const ACTIONS: &[&str] = &["resolve", "reopen", "edit", "delete"];

pub(super) fn reading() -> Vec<Tool> {
    let list = Tool::new("list_comments", Effect::Reads, &["list_comments"], "List comments on a file, newest first.");
    let list = list.taking([file_id(), ToolArgument::word("status", &["open", "resolved"]), cursor()]);
    let mine =
        Tool::new("my_mentions", Effect::Reads, &["list_mentions"], "List comments that call you (@ and your id).");
    let mine = mine.taking([ToolArgument::word("status", &["open", "resolved"]), cursor()]);
    vec![list.writing(text::comments::list), mine.writing(text::comments::mentions)]
}

pub(super) fn writing() -> Vec<Tool> {
    vec![
        Tool::new(
            "add_comment",
            Effect::Adds,
            &["create_comment"],
            "Comment on a file, block, page or element (block_id), slide or range; or reply to a comment.",
        )
        .taking([
            file_id(),
            ToolArgument::text("text").required(),
            ToolArgument::text("block_id"),
            ToolArgument::text("slide_id"),
            ToolArgument::text("range").says("Budget!B6"),
            ToolArgument::text("parent_comment_id"),
        ])
        .choosing(anchored)
        .writing(text::comments::one),
        Tool::new(
            "change_comment",
            Effect::Replaces,
            &["resolve_comment", "reopen_comment", "edit_comment", "delete_comment", "settle_comment"],
            "Resolve or reopen a comment; edit or delete your own.",
        )
        .taking([
            file_id(),
            ToolArgument::text("comment_id").required(),
            if_match().says("of the comment"),
            ToolArgument::word("action", ACTIONS).required(),
            ToolArgument::text("text").says("for edit"),
        ])
        .steps(|call| Box::pin(change(call)))
        .writing(text::comments::one),
    ]
}

fn anchored(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    let range = arguments.get("range").and_then(Value::as_str);
    if range.is_some_and(|range| !range.contains('!')) {
        return Err(Problem { at: "/range".to_owned(), rule: "must name the sheet: Budget!B5".to_owned() });
    }
    // The schema of the tool is flat, so that each model API takes it. The operation wants one object.
    let anchor: Arguments =
        ["block_id", "slide_id", "range"].iter().filter_map(|name| arguments.remove_entry(*name)).collect();
    if !anchor.is_empty() {
        arguments.insert("anchor".to_owned(), Value::Object(anchor));
    }
    Ok("create_comment")
}

async fn change(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let action = call.arguments.remove("action");
    let (operation, status) = match action.as_ref().and_then(Value::as_str) {
        Some("resolve") => ("resolve_comment", Some("resolved")),
        Some("reopen") => ("reopen_comment", Some("open")),
        Some("edit") => ("edit_comment", None),
        Some("delete") => ("delete_comment", None),
        _ => {
            let rule = format!("must be one of {}", shared_model::words::join_and(ACTIONS));
            return call.refuse("resolve_comment", "action", &rule);
        }
    };
    let arguments = std::mem::take(&mut call.arguments);
    let first = call.call(operation, arguments.clone()).await?;
    // Authors resolve their own comments. Those who may write the file settle those of others.
    let is_of_other = matches!(&first, CallResult::Refused(body) if body.error.code == "not_comment_author");
    match status.filter(|_| is_of_other && call.operations.allows("settle_comment")) {
        Some(status) => {
            let mut arguments = arguments;
            arguments.insert("status".to_owned(), status.into());
            Ok(Outcome::Finished(call.call("settle_comment", arguments).await?))
        }
        None => Ok(Outcome::Finished(first)),
    }
}
