//! Prompts, and completion of ids by names of files.

use shared_model::Failure;
use shared_runtime::{
    http::operations::{CallResult, Operations},
    mcp::{Arguments, Prompt, PromptParameter, call_operation},
};

use crate::files::list::FileList;

const FILE: PromptParameter = PromptParameter { name: "file_id", description: "The file. Type a part of its name." };

pub(super) const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "review_plan",
        title: "Review a plan",
        description: "Explain what a plan would change, and what to look at before it is approved.",
        arguments: &[FILE, PromptParameter { name: "plan_id", description: "The plan." }],
        text: "Review the plan {plan_id} for the file {file_id}. Call get_plan and read_file. Say in a few sentences what \
               would change and why it might matter. List its warnings, and what a reviewer should check. Do not apply, \
               approve or reject it.",
    },
    Prompt {
        name: "summarize_changes",
        title: "Summarize what happened",
        description: "Say what changed last in the workspace, by whom, and what waits.",
        arguments: &[],
        text: "Call recent_changes and list_plans. Say in a short list what changed last, by whom, and which plans wait for \
               whom. Compare versions of a file where its name does not say what changed.",
    },
    Prompt {
        name: "minutes_to_actions",
        title: "Find the actions in minutes",
        description: "List who has agreed to do what in a document or note.",
        arguments: &[FILE],
        text: "Call read_file for {file_id}. List who has agreed to do what, and until when, each with the words of the text. \
               Say what nobody has taken. Do not change the file.",
    },
];

const COMPLETIONS: u64 = 20;

/// Ids of the files whose names contain what was typed.
pub(super) async fn complete(operations: &Operations, argument: String, typed: String) -> Result<Vec<String>, Failure> {
    if argument != "file_id" || typed.is_empty() {
        return Ok(Vec::new());
    }
    let mut arguments = Arguments::new();
    arguments.insert("name_contains".to_owned(), typed.into());
    arguments.insert("limit".to_owned(), COMPLETIONS.into());
    Ok(match call_operation(operations, "search_files", arguments).await? {
        CallResult::Answered(json) => {
            let list: FileList = serde_json::from_str(&json)?;
            list.items.into_iter().map(|file| file.id.to_string()).collect()
        }
        // What was typed cannot be part of a name.
        CallResult::Refused(_) => Vec::new(),
    })
}
