//! Tools about versions of a file.

use shared_runtime::mcp::{Effect, Tool, ToolArgument};

use super::{
    arguments::{cursor, file_id, if_match},
    text,
};

pub(super) fn reading() -> Vec<Tool> {
    vec![
        Tool::new("list_versions", Effect::Reads, &["list_versions"], "List versions of a file, newest first.")
            .taking([file_id(), cursor()])
            .writing(text::versions::list),
        Tool::new(
            "compare_versions",
            Effect::Reads,
            &["compare_versions"],
            "Show what changed from version_id to `with`.",
        )
        .taking([file_id(), ToolArgument::text("version_id").required(), ToolArgument::text("with").required()])
        .writing(text::versions::comparison),
        Tool::new("who_wrote", Effect::Reads, &["get_authorship"], "Show who wrote and approved each part of a file.")
            .taking([file_id(), ToolArgument::text("version"), cursor()])
            .writing(text::versions::authorship),
    ]
}

pub(super) fn writing() -> Vec<Tool> {
    let restore = Tool::new(
        "restore_version",
        Effect::Replaces,
        &["restore_version"],
        "Undo: bring back the content of an earlier version.",
    );
    let restore = restore.taking([file_id(), ToolArgument::text("version_id").required(), if_match()]);
    vec![restore.writing(text::files::changed)]
}
