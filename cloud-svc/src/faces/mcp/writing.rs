//! Tools that change or propose something.

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
            "Preview edits of a file: a plan with every change and warning. Only apply_plan changes the file. Operations run in \
             order, all or none; each type of file has its own.",
        ),
        replaces("apply_plan", apply_plan::OPERATIONS)
            .describe(
                "Apply an edit plan",
                "Apply exactly what a plan shows, as the next version of the file. if_match is the file's current etag. A plan with \
                 warnings of high severity needs the agreement of a person.",
            )
            .steps(|call| Box::pin(apply_plan::apply(call))),
        adds("rebase_plan", &["rebase_edit_plan"]).describe(
            "Rebase an edit plan",
            "Propose the edits of a stale plan again for the current file: a new plan to check and apply, unless somebody has \
             changed the same parts.",
        ),
        adds("request_review", &["request_plan_review"]).describe(
            "Request a review",
            "Ask somebody else to approve a plan. The plan waits up to seven days; get_plan shows the verdict.",
        ),
        adds("create_file", choices::CREATE_OPERATIONS)
            .describe(
                "Create a file",
                "Create a native file of the given type. Without content it is nearly empty.",
            )
            .extra("type", true, json!({"enum": choices::words(choices::CREATES), "description": "What to create."}))
            .choosing(choices::create),
        adds("import_text", &["import_text"]).describe(
            "Import text",
            "Make a file of Markdown (a document), comma-separated values (a spreadsheet) or plain text (a note).",
        ),
        adds("create_folder", &["create_folder"]).describe("Create a folder", "Create a folder at the top level or in a folder."),
        adds("add_comment", &["create_comment"])
            .describe("Add a comment", "Comment on a file, or on a block, slide or range of it. The file does not change."),
        replaces("resolve_comment", &["resolve_comment"])
            .describe("Resolve a comment", "Resolve your own comment. if_match is the comment's etag."),
        adds("save_draft", &["create_scratch", "update_scratch"])
            .describe(
                "Save a draft",
                "Keep content for a week without making a file. With draft_id: change that draft. Only this grant can see it.",
            )
            // A model reads all tools before it does anything, and the five schemas are in create_file already.
            .extra("content", false, json!({"type": "object", "description": "As in create_file. Required for a new draft."}))
            .extra("draft_id", false, json!({"type": "string", "description": "The draft to change."}))
            .choosing(choices::save_draft),
        replaces("promote_draft", &["promote_scratch"]).describe(
            "Promote a draft",
            "Turn a draft into a file, in parent_id or at the top level. With file_id and its etag as if_match: into the next \
             version of that file.",
        ),
        replaces("move_or_rename", &["rename_file", "move_file"])
            .describe(
                "Move or rename a file",
                "Rename a file (name), or move it to another folder (parent_id; null is the top level). One of them in a call.",
            )
            .choosing(choices::move_or_rename),
        replaces("trash_or_restore", &["trash_file", "restore_file"])
            .describe(
                "Trash or restore a file",
                "Move a file or folder to the trash, or restore it to its folder or to parent_id.",
            )
            .extra("action", true, json!({"enum": choices::words(choices::TRASHES), "description": "What to do."}))
            .choosing(choices::trash_or_restore),
        adds("upload_small_file", &["create_upload"])
            .describe(
                "Upload a small file",
                "Upload a file of any type with at most 262144 bytes. It is stored unchanged. Upload larger files over HTTP: POST \
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
