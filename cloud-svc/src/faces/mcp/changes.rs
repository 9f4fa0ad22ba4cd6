//! Tools about what happened.

use shared_runtime::mcp::{Effect, Tool, ToolArgument};

use super::{arguments::cursor, text};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("recent_changes", Effect::Reads, &["list_recent_changes"], "List latest changes, newest first.")
            .taking([ToolArgument::integer("limit"), cursor()])
            .writing(text::changes::recent),
        Tool::new(
            "list_changes",
            Effect::Reads,
            &["list_changes"],
            "Follow changes after a cursor. wait_seconds (up to 25) waits for one.",
        )
        .taking([cursor(), ToolArgument::integer("wait_seconds")])
        .writing(text::changes::followed),
    ]
}
