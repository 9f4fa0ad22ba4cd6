//! Tools that read.

use shared_runtime::mcp::{Effect, Tool};

use super::choices;
use cloud_content::{file_type::FileType, kinds, native_kind::NativeKind};

pub(super) fn tools() -> Vec<Tool> {
    let found = finding().into_iter().chain(kinds::ALL.iter().map(|kind| content(kind)));
    found.chain(around_content()).collect()
}

/// Shows what a file of this kind says.
fn content(kind: &NativeKind) -> Tool {
    let read = &kind.read_tool;
    let tool = Tool::new(read.name, Effect::Reads, read.operations).describe(read.title, read.description);
    match kind.file_type {
        FileType::Spreadsheet => tool.choosing(choices::read_spreadsheet),
        _ => tool.by_default(read.defaults),
    }
}

fn reads(name: &'static str, operations: &'static [&'static str]) -> Tool {
    Tool::new(name, Effect::Reads, operations)
}

fn finding() -> Vec<Tool> {
    vec![
        reads("search_files", &["search_files"]).describe(
            "Search files",
            "Find files and folders of the workspace by a part of their name, newest first. Does not search their content.",
        ),
        reads("list_folder", &["list_files"]).describe(
            "List a folder",
            "List a folder (parent_id), the top level (parent_id \"root\"), the whole workspace (no parent_id), or the trash (state \
             \"trashed\").",
        ),
        reads("get_file", &["get_file"]).describe(
            "Get a file's record",
            "Get the record of a file or folder: name, type, folder, version, state, and the etag that a change needs as if_match.",
        ),
    ]
}

fn around_content() -> Vec<Tool> {
    vec![
        reads("get_plan", &["get_edit_plan"]).describe(
            "Get an edit plan",
            "Get an edit plan in any state: its changes with old and new content, its warnings, and whether the file has changed \
             since the proposal (stale).",
        ),
        reads("list_plans", &["list_workspace_plans"]).describe(
            "List edit plans",
            "List the open edit plans of the workspace, newest first. With for \"me\": the plans that wait for your review.",
        ),
        reads("list_comments", &["list_comments"]).describe(
            "List comments",
            "List the comments on a file, newest first, each with its place in the file and its own etag.",
        ),
        reads("list_changes", &["list_changes"]).describe(
            "List changes",
            "List the changes of the workspace after a cursor, in order and without gaps. Without a cursor: from the oldest stored \
             change. With wait_seconds it waits for a new change.",
        ),
    ]
}
