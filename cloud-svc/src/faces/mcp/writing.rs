//! Tools that change something, or propose to.

use serde_json::json;
use shared_runtime::mcp::{Effect, Tool};

use super::{
    apply_plan, choices,
    upload_small_file::{self, MAX_BASE64},
};

pub(super) fn tools() -> Vec<Tool> {
    let adds = |name, operations| Tool::new(name, Effect::Adds, operations);
    let replaces = |name, operations| Tool::new(name, Effect::Replaces, operations);
    vec![
        adds("propose_edits", &["propose_file_edit"]).describe(
            "Propose edits",
            "Preview edits of a file: a plan with every change and warning. The file is not altered until apply_plan. Operations \
             run in order, all or none; each type of file has its own.",
        ),
        replaces("apply_plan", apply_plan::OPERATIONS)
            .describe(
                "Apply an edit plan",
                "Apply exactly what a plan shows, as the file's next version. if_match is the file's current etag. A plan with \
                 warnings of high severity is applied only after a person has agreed.",
            )
            .steps(|call| Box::pin(apply_plan::apply(call))),
        adds("rebase_plan", &["rebase_edit_plan"]).describe(
            "Rebase an edit plan",
            "Make the edits of a stale plan anew for the file as it is now: a new plan to look at and apply, if nothing that it \
             touches has changed.",
        ),
        adds("request_review", &["request_plan_review"]).describe(
            "Request a review",
            "Ask somebody else to approve a plan. It waits for the verdict, seven days at most; get_plan shows it.",
        ),
        adds("create_file", &["create_document", "create_spreadsheet", "create_note", "create_publication", "create_presentation"])
            .describe(
                "Create a file",
                "Create a document, spreadsheet, note, publication or presentation; without content the smallest one.",
            )
            .extra("type", true, json!({"enum": choices::words(choices::CREATES), "description": "What to create."}))
            .choosing(choices::create),
        adds("create_folder", &["create_folder"]).describe("Create a folder", "Create a folder, at the top or in another one."),
        adds("add_comment", &["create_comment"])
            .describe("Add a comment", "Comment on a file, or on a block, slide or range of it. The file is not changed."),
        replaces("resolve_comment", &["resolve_comment"])
            .describe("Resolve a comment", "Resolve a comment of your own. if_match is the comment's etag."),
        adds("save_draft", &["create_scratch", "update_scratch"])
            .describe(
                "Save a draft",
                "Keep content for a week without making a file of it; with draft_id, write that draft anew. Only this grant sees \
                 it.",
            )
            // The five shapes are in create_file already: a model reads all of this before it does anything.
            .extra("content", false, json!({"type": "object", "description": "As create_file takes it; a new draft has to have it."}))
            .extra("draft_id", false, json!({"type": "string", "description": "The draft that is written anew."}))
            .choosing(choices::save_draft),
        replaces("promote_draft", &["promote_scratch"]).describe(
            "Promote a draft",
            "Make a file of a draft, in parent_id or at the top; with file_id and its etag as if_match, the next version of that \
             file.",
        ),
        replaces("move_or_rename", &["rename_file", "move_file"])
            .describe(
                "Move or rename a file",
                "Give a file another name (name), or put it into another folder (parent_id; null is the top): one of them in one \
                 call.",
            )
            .choosing(choices::move_or_rename),
        replaces("trash_or_restore", &["trash_file", "restore_file"])
            .describe(
                "Trash or restore a file",
                "Put a file or folder into the trash, or take it out again; restore puts it into its folder, or into parent_id.",
            )
            .extra("action", true, json!({"enum": choices::words(choices::TRASHES), "description": "Which of them."}))
            .choosing(choices::trash_or_restore),
        adds("upload_small_file", &["create_upload"])
            .describe(
                "Upload a small file",
                "Upload a file of at most 262144 bytes of any type, which is kept as it is. Larger ones go over HTTP: POST \
                 /v1/uploads of the same service.",
            )
            .without(&["size", "sha256", "file_id", "if_match"])
            .extra(
                "content_base64",
                true,
                json!({"type": "string", "maxLength": MAX_BASE64, "description": "The bytes, in base64 with padding."}),
            )
            .steps(|call| Box::pin(upload_small_file::upload(call))),
    ]
}
