//! The call that helps after a refusal. It is for operations whose next action leads to no tool, or to a worse one.

use serde_json::{Value, json};
use shared_model::{ErrorDetail, NextAction};
use shared_runtime::mcp::{Arguments, Recovery};

use crate::base::{
    codes::{PLAN_CONFLICT, SELF_APPROVAL},
    ids::{FileId, ProposalId},
};

pub(super) fn after(arguments: &Arguments, error: &ErrorDetail) -> Option<Recovery> {
    if arguments.contains_key("proposal_id") {
        return about_proposal(arguments, error);
    }
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
    // A refusal quotes no names of sheets, which others have chosen.
    if problems.iter().any(|problem| problem.at.starts_with("/operations/") && problem.at.ends_with("/sheet")) {
        return Some(Recovery { tool: "read_file", arguments: of_file, then: "It names the sheets." });
    }
    let is_about_tag = problems.iter().any(|problem| problem.at == "/if_match");
    let tool = if arguments.contains_key("comment_id") { "list_comments" } else { "read_file" };
    is_about_tag.then_some(Recovery { tool, arguments: of_file, then: "It shows if_match." })
}

fn about_proposal(arguments: &Arguments, error: &ErrorDetail) -> Option<Recovery> {
    let is_id = |id: &&Value| id.as_str().is_some_and(|id| id.parse::<ProposalId>().is_ok());
    let proposal = arguments.get("proposal_id").filter(is_id)?;
    if error.code == PLAN_CONFLICT.name {
        let arguments = json!({"proposal_id": proposal});
        let then = "Only the author of the proposal can do this. Then propose the edits again.";
        return Some(Recovery { tool: "discard_proposal", arguments, then });
    }
    match (&error.next_action, arguments.get("proposal_sha256")) {
        // The action names no hash. The refused call has the hash of the plans to rebase.
        (NextAction::Rebase { .. }, Some(seen)) => {
            let arguments = json!({"proposal_id": proposal, "proposal_sha256": seen});
            return Some(Recovery { tool: "rebase_proposal", arguments, then: "" });
        }
        (NextAction::Rebase { .. }, None) => {}
        (NextAction::CorrectRequest { problems }, _) if problems.iter().any(|one| one.at == "/proposal_sha256") => {}
        _ => return None,
    }
    let then = "It names the call with proposal_sha256.";
    Some(Recovery { tool: "get_proposal", arguments: json!({"proposal_id": proposal}), then })
}
