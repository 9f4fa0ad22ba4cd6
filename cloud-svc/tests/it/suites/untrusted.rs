//! Answers that quote what others wrote say so.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use super::{fixtures, lasting, stage};

const FLAG: &str = "content_is_untrusted";

/// The operations whose answers have content, names, comments or warnings that do not come from the service.
const QUOTING: [&str; 60] = [
    "amend_edit_plan",
    "apply_document_edit",
    "apply_note_edit",
    "apply_presentation_edit",
    "apply_proposal",
    "apply_publication_edit",
    "apply_spreadsheet_edit",
    "approve_edit_plan",
    "approve_proposal",
    "change_proposal",
    "compare_edit_plans",
    "compare_versions",
    "convert_file",
    "create_comment",
    "create_proposal",
    "create_scratch",
    "discard_edit_plan",
    "discard_proposal",
    "edit_comment",
    "get_authorship",
    "get_document",
    "get_edit_plan",
    "get_file_details",
    "get_note",
    "get_presentation",
    "get_proposal",
    "get_publication",
    "get_range",
    "get_scratch",
    "get_spreadsheet",
    "get_version",
    "import_text",
    "list_changes",
    "list_comments",
    "list_edit_plans",
    "list_files",
    "list_mentions",
    "list_proposals",
    "list_recent_changes",
    "list_scratch",
    "list_sheets",
    "list_workspace_plans",
    "promote_scratch",
    "propose_file_edit",
    "rebase_edit_plan",
    "rebase_proposal",
    "reject_edit_plan",
    "reject_proposal",
    "reopen_comment",
    "request_plan_review",
    "request_proposal_review",
    "resolve_comment",
    "return_edit_plan",
    "revise_edit_plan",
    "search_content",
    "search_files",
    "settle_comment",
    "split_edit_plan",
    "undo_proposal",
    "update_scratch",
];

#[shared_testing::test]
async fn what_others_wrote_is_marked_as_untrusted() {
    let stage = stage().await;
    let ada = lasting(&stage, "ada");
    let mut marked = BTreeSet::new();
    for fixture in fixtures(&stage, &ada).await {
        // A new minute for each operation, so that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(60));
        let answer = fixture.by(&ada).await;
        assert!((200..300).contains(&answer.status), "{}: {answer}", fixture.operation);
        for flag in flags(answer.json()) {
            assert_eq!(flag, true, "{}: {answer}", fixture.operation);
            marked.insert(fixture.operation);
        }
    }
    assert_eq!(marked, BTreeSet::from(QUOTING));
}

/// The flag wherever the answer has it.
fn flags(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().flat_map(flags).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(name, value)| if name == FLAG { vec![value] } else { flags(value) }).collect()
        }
        _ => Vec::new(),
    }
}
