//! Tools that read.

use shared_runtime::mcp::{Effect, Tool};

use super::choices;

// A model's context is small: content comes page by page unless the call asks for more.
const PAGE: (&str, &str) = ("max_bytes", "20000");

pub(super) fn tools() -> Vec<Tool> {
    let reads = |name, operations| Tool::new(name, Effect::Reads, operations);
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
        reads("read_document", &["get_document"])
            .describe(
                "Read a document",
                "Read a document page by page: as blocks with the ids that edits need (view \"blocks\", the default), as Markdown \
                 (\"markdown\"), or its headings (\"outline\"). Continue with next_cursor.",
            )
            .by_default(&[("view", "blocks"), PAGE]),
        reads("read_spreadsheet", &["get_range", "list_sheets"])
            .describe(
                "Read a spreadsheet",
                "Without sheet and range: list the sheets with their sizes. With both, such as \"B2:F40\" (at most 1000 cells): read \
                 cells with their addresses. Formulas are never calculated.",
            )
            .choosing(choices::read_spreadsheet),
        reads("read_note", &["get_note"])
            .describe(
                "Read a note",
                "Read a note page by page as Markdown (the default), its headings (view \"outline\"), or title, text and tags as \
                 stored (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("read_publication", &["get_publication"])
            .describe(
                "Read a publication",
                "Read a publication as Markdown (the default), its pages (view \"outline\"), or all elements with their ids \
                 (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("read_presentation", &["get_presentation"])
            .describe(
                "Read a presentation",
                "Read a presentation as Markdown (the default), its slides (view \"outline\"), or all elements with their ids \
                 (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("get_plan", &["get_edit_plan"]).describe(
            "Get an edit plan",
            "Get an edit plan in any state: its changes with old and new content, its warnings, and whether the file has changed \
             since the proposal (stale).",
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
