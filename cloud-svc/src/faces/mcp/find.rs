//! Tools that find files.

use shared_runtime::mcp::{Effect, Tool, ToolArgument};

use super::{
    arguments::{cursor, file_id, parent_id},
    text,
};
use cloud_content::file_type::FileType;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("search_files", Effect::Reads, &["search_files"], "Find files and folders by part of their name.")
            .taking([ToolArgument::text("name_contains").required(), file_type(), parent_id(), cursor()])
            .writing(text::files::list),
        Tool::new(
            "search_content",
            Effect::Reads,
            &["search_content"],
            "Find files by what is written in them: words, parts of words, \"phrases\"; or by a note's tag.",
        )
        .taking([
            ToolArgument::text("text"),
            ToolArgument::text("tag"),
            file_type(),
            parent_id(),
            ToolArgument::text("changed_since"),
            cursor(),
        ])
        .writing(text::files::found),
        Tool::new(
            "list_folder",
            Effect::Reads,
            &["list_files"],
            "List a folder, newest first. Without parent_id: all files. state \"trashed\": the trash.",
        )
        .taking([parent_id(), file_type(), ToolArgument::word("state", &["active", "trashed"]), cursor()])
        .writing(text::files::list),
        Tool::new(
            "get_file",
            Effect::Reads,
            &["get_file_details", "get_file"],
            "Look up a file: name, folder, size, who changed it, tags, open plans, comments.",
        )
        .taking([file_id()])
        .writing(text::files::details),
        Tool::new(
            "download_link",
            Effect::Reads,
            &["create_download_grant"],
            "Make a download link for a file, for two minutes. format: json, markdown, csv, xlsx.",
        )
        .taking([
            file_id(),
            ToolArgument::text("version_id"),
            ToolArgument::text("format"),
            ToolArgument::text("sheet"),
        ])
        .writing(text::files::download),
    ]
}

fn file_type() -> ToolArgument {
    let words: Vec<_> = FileType::ALL.iter().map(|(word, _)| *word).collect();
    ToolArgument::word("type", &words)
}
