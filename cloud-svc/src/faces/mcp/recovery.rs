//! The call that helps after a refusal, where the next action of the operation leads to no tool, or to a worse one.

use serde_json::json;
use shared_model::{ErrorDetail, NextAction};
use shared_runtime::mcp::{Arguments, Recovery};

use crate::base::{
    codes::{PLAN_CONFLICT, SELF_APPROVAL},
    ids::FileId,
};

pub(super) fn after(arguments: &Arguments, error: &ErrorDetail) -> Option<Recovery> {
    let file = arguments.get("file_id").filter(|id| id.as_str().is_some_and(|id| id.parse::<FileId>().is_ok()))?;
    let of_file = json!({"file_id": file});
    if error.code == SELF_APPROVAL.name {
        let arguments = json!({"file_id": file, "plan_id": arguments.get("plan_id")?});
        return Some(Recovery { tool: "discard_plan", arguments, then: "" });
    }
    if error.code == PLAN_CONFLICT.name {
        // The record of a file does not show what is in conflict.
        return Some(Recovery { tool: "read_file", arguments: of_file, then: "Then propose your edits again." });
    }
    let NextAction::CorrectRequest { problems } = &error.next_action else { return None };
    let is_about_tag = problems.iter().any(|problem| problem.at == "/if_match");
    let tool = if arguments.contains_key("comment_id") { "list_comments" } else { "read_file" };
    is_about_tag.then_some(Recovery { tool, arguments: of_file, then: "It shows if_match." })
}
