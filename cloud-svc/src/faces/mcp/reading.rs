//! Tools that read.

use shared_runtime::mcp::{Effect, Tool};

use super::choices;

/// Content is read block by block or as Markdown, page by page; what fits into one result is decided there.
const PAGE: (&str, &str) = ("max_bytes", "20000");

pub(super) fn tools() -> Vec<Tool> {
    let reads = |name, operations| Tool::new(name, Effect::Reads, operations);
    vec![
        reads("search_files", &["search_files"]).describe(
            "Search files",
            "Find files and folders of the workspace by a part of their name, newest first. Not by what they say.",
        ),
        reads("list_folder", &["list_files"]).describe(
            "List a folder",
            "List what is in a folder (parent_id), at the top (parent_id \"root\"), in the whole workspace (no parent_id), or in \
             the trash (state \"trashed\").",
        ),
        reads("get_file", &["get_file"]).describe(
            "Get a file's record",
            "The record of a file or folder of any type: name, type, folder, version, state, and the etag that a change needs as \
             if_match.",
        ),
        reads("read_document", &["get_document"])
            .describe(
                "Read a document",
                "What a document says, page by page: as blocks with the ids that edits need (view \"blocks\", the default), as \
                 Markdown (\"markdown\"), or its headings (\"outline\"). Go on with next_cursor for the rest.",
            )
            .by_default(&[("view", "blocks"), PAGE]),
        reads("read_spreadsheet", &["get_range", "list_sheets"])
            .describe(
                "Read a spreadsheet",
                "Without sheet and range: the sheets with their sizes. With both, like \"B2:F40\" of at most 1000 cells: the cells \
                 with their addresses; formulas as their source, never calculated.",
            )
            .choosing(choices::read_spreadsheet),
        reads("read_note", &["get_note"])
            .describe(
                "Read a note",
                "What a note says, page by page as Markdown (the default), its headings (view \"outline\"), or title, text and \
                 tags as they are stored (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("read_publication", &["get_publication"])
            .describe(
                "Read a publication",
                "A publication's text as Markdown (the default), its pages (view \"outline\"), or all its elements with their ids \
                 (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("read_presentation", &["get_presentation"])
            .describe(
                "Read a presentation",
                "A presentation's text as Markdown (the default), its slides (view \"outline\"), or all its elements with their \
                 ids (\"full\").",
            )
            .by_default(&[("view", "markdown"), PAGE]),
        reads("get_plan", &["get_edit_plan"]).describe(
            "Get an edit plan",
            "An edit plan, whatever has become of it: its changes before and after, its warnings, its state, and whether the file \
             has changed since (stale).",
        ),
        reads("list_comments", &["list_comments"]).describe(
            "List comments",
            "The comments on a file, newest first, each with the place it is about and its own etag.",
        ),
        reads("list_changes", &["list_changes"]).describe(
            "List changes",
            "What has happened in the workspace since a cursor, in order and without gaps; without one, from the oldest change \
             that is kept. With wait_seconds it waits for something new.",
        ),
    ]
}
