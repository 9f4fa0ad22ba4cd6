//! Every operation of the service with what makes a command of it, and every tool.

use shared_testing::histories::{Command, Coverage, Reasons};

use super::{
    Cloud, Turn, agents, comments, drafts, feed, files, information, plan_reads, plan_steps, proposal_steps, proposals,
    reads, tree::Kind, uploads, versions, webhooks,
};

pub type Generator = fn(&mut Turn<'_>) -> Option<Command<Cloud>>;

/// Operations that answer in a way of their own, and what tries them instead.
const ELSEWHERE: Reasons = &[
    ("send_mcp_message", "every command that a tool makes is sent there, too"),
    ("export_plan_to_word", "edit_plans/word.rs: its answer is a Word file"),
    ("read_word_choices", "edit_plans/word.rs: it reads such a file"),
];

/// Operations that cannot succeed in a history, and why: none.
const NEVER: Reasons = &[];

/// Tools that commands go by.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    "search_files", "search_content", "list_folder", "get_file", "download_link", "read_file",
    "list_versions", "compare_versions", "who_wrote", "restore_version",
    "edit_document", "edit_spreadsheet", "edit_note", "edit_publication", "edit_presentation",
    "list_plans", "get_plan", "await_decision",
    "apply_plan", "rebase_plan", "request_review", "split_plan", "return_plan", "discard_plan", "reject_plan",
    "propose_together", "get_proposal", "request_proposal_review", "rebase_proposal", "discard_proposal", "apply_proposal",
    "list_comments", "my_mentions", "add_comment", "change_comment",
    "recent_changes", "list_changes",
    "create_file", "copy_file", "move_or_rename", "trash_or_restore", "upload_small_file",
    "list_drafts", "save_draft", "promote_draft", "discard_draft",
];

/// Tools that no command goes by, and why: none.
const TOOLS_ELSEWHERE: Reasons = &[];

pub fn coverage() -> Coverage {
    let operations = GENERATORS.iter().map(|(operation, _, _)| *operation).collect();
    Coverage { operations, elsewhere: ELSEWHERE, never: NEVER, tools: TOOLS, tools_elsewhere: TOOLS_ELSEWHERE }
}

/// Each with how often it comes.
#[rustfmt::skip]
pub const GENERATORS: &[(&str, u64, Generator)] = &[
    ("create_folder", 6, |t| files::create(t, "create_folder", Kind::Folder)),
    ("create_document", 7, |t| files::create(t, "create_document", Kind::Document)),
    ("create_spreadsheet", 4, |t| files::create(t, "create_spreadsheet", Kind::Spreadsheet)),
    ("create_note", 4, |t| files::create(t, "create_note", Kind::Note)),
    ("create_publication", 2, |t| files::create(t, "create_publication", Kind::Publication)),
    ("create_presentation", 2, |t| files::create(t, "create_presentation", Kind::Presentation)),
    ("import_text", 2, files::import_text),
    ("convert_file", 2, uploads::convert),
    ("rename_file", 5, files::rename),
    ("move_file", 7, files::move_to),
    ("copy_file", 3, files::copy),
    ("trash_file", 6, files::trash),
    ("restore_file", 6, files::restore),
    ("purge_file", 4, files::purge),
    ("restore_version", 4, versions::restore_version),
    ("protect_file", 2, files::protect),
    ("propose_file_edit", 26, plan_steps::propose),
    ("rebase_edit_plan", 8, plan_steps::rebase),
    ("revise_edit_plan", 3, plan_steps::revise),
    ("amend_edit_plan", 3, plan_steps::amend),
    ("split_edit_plan", 3, plan_steps::split),
    ("request_plan_review", 9, plan_steps::request_review),
    ("approve_edit_plan", 9, |t| plan_steps::judge(t, "approve_edit_plan", "approve")),
    ("reject_edit_plan", 2, |t| plan_steps::judge(t, "reject_edit_plan", "reject")),
    ("return_edit_plan", 2, |t| plan_steps::judge(t, "return_edit_plan", "return")),
    ("discard_edit_plan", 3, plan_steps::discard),
    ("apply_document_edit", 12, |t| plan_steps::apply(t, "apply_document_edit", Kind::Document)),
    ("apply_spreadsheet_edit", 8, |t| plan_steps::apply(t, "apply_spreadsheet_edit", Kind::Spreadsheet)),
    ("apply_note_edit", 8, |t| plan_steps::apply(t, "apply_note_edit", Kind::Note)),
    ("apply_publication_edit", 6, |t| plan_steps::apply(t, "apply_publication_edit", Kind::Publication)),
    ("apply_presentation_edit", 6, |t| plan_steps::apply(t, "apply_presentation_edit", Kind::Presentation)),
    ("get_edit_plan", 4, plan_reads::get),
    ("list_edit_plans", 2, plan_reads::list),
    ("list_workspace_plans", 2, plan_reads::list_all),
    ("compare_edit_plans", 1, plan_reads::compare),
    ("get_plan_receipt", 1, |t| plan_reads::receipts(t, true)),
    ("list_receipts", 1, |t| plan_reads::receipts(t, false)),
    ("get_receipts_head", 1, |t| information::constant(t, "get_receipts_head", "/v1/receipts/head")),
    ("list_receipt_keys", 1, |t| information::constant(t, "list_receipt_keys", "/v1/receipts/keys")),
    ("create_proposal", 8, proposal_steps::create),
    ("change_proposal", 2, proposal_steps::change),
    ("request_proposal_review", 6, proposal_steps::request_review),
    ("approve_proposal", 7, |t| proposal_steps::judge(t, "approve_proposal", "approve")),
    ("reject_proposal", 2, |t| proposal_steps::judge(t, "reject_proposal", "reject")),
    ("discard_proposal", 2, proposal_steps::discard),
    ("rebase_proposal", 3, proposal_steps::rebase),
    ("apply_proposal", 7, proposal_steps::apply),
    ("undo_proposal", 4, proposal_steps::undo),
    ("get_proposal", 2, proposals::get),
    ("list_proposals", 1, proposals::list),
    ("create_comment", 6, comments::create),
    ("edit_comment", 3, |t| comments::change(t, "edit_comment", comments::Verb::Edit)),
    ("resolve_comment", 3, |t| comments::change(t, "resolve_comment", comments::Verb::Resolve)),
    ("reopen_comment", 2, |t| comments::change(t, "reopen_comment", comments::Verb::Reopen)),
    ("settle_comment", 2, |t| comments::change(t, "settle_comment", comments::Verb::Settle)),
    ("delete_comment", 2, |t| comments::change(t, "delete_comment", comments::Verb::Delete)),
    ("list_comments", 3, comments::list),
    ("list_mentions", 2, comments::mentions),
    ("create_scratch", 4, drafts::create),
    ("create_scratch", 2, drafts::save),
    ("update_scratch", 2, drafts::update),
    ("update_scratch", 1, drafts::save_again),
    ("promote_scratch", 4, drafts::promote),
    ("discard_scratch", 2, drafts::discard),
    ("get_scratch", 2, drafts::get),
    ("list_scratch", 1, drafts::list),
    ("create_upload", 4, uploads::begin),
    ("create_upload", 2, uploads::small),
    ("put_chunk", 6, uploads::put_chunk),
    ("complete_upload", 6, uploads::complete),
    ("cancel_upload", 1, uploads::cancel),
    ("get_upload", 2, uploads::get),
    ("create_download_grant", 2, reads::download),
    ("download_file", 2, reads::fetch),
    ("create_webhook", 4, webhooks::create),
    ("update_webhook", 1, |t| webhooks::change(t, "update_webhook", webhooks::Verb::Update)),
    ("verify_webhook", 4, webhooks::verify),
    ("enable_webhook", 1, |t| webhooks::change(t, "enable_webhook", webhooks::Verb::Enable)),
    ("disable_webhook", 1, |t| webhooks::change(t, "disable_webhook", webhooks::Verb::Disable)),
    ("revoke_webhook", 1, |t| webhooks::change(t, "revoke_webhook", webhooks::Verb::Revoke)),
    ("rotate_webhook_secret", 1, |t| webhooks::change(t, "rotate_webhook_secret", webhooks::Verb::Rotate)),
    ("ping_webhook", 3, |t| webhooks::send(t, "ping_webhook", webhooks::Sends::Ping)),
    ("replay_webhook", 3, |t| webhooks::send(t, "replay_webhook", webhooks::Sends::Replay)),
    ("get_webhook", 2, webhooks::get),
    ("list_webhook_deliveries", 2, webhooks::deliveries),
    ("list_webhooks", 1, webhooks::list),
    ("set_agent_limits", 3, agents::set),
    ("get_agent_limits", 1, agents::get),
    ("list_agents", 1, agents::list),
    ("revoke_agent", 1, agents::revoke),
    ("set_risk_rules", 1, agents::set_rules),
    ("get_risk_rules", 1, agents::get_rules),
    ("get_file", 5, reads::file),
    ("get_file_details", 4, reads::details),
    ("get_document", 5, |t| reads::content(t, "get_document", Kind::Document)),
    ("get_spreadsheet", 3, |t| reads::content(t, "get_spreadsheet", Kind::Spreadsheet)),
    ("get_note", 3, |t| reads::content(t, "get_note", Kind::Note)),
    ("get_publication", 2, |t| reads::content(t, "get_publication", Kind::Publication)),
    ("get_presentation", 2, |t| reads::content(t, "get_presentation", Kind::Presentation)),
    ("list_sheets", 1, |t| reads::sheet(t, "list_sheets", "sheets")),
    ("get_range", 1, |t| reads::sheet(t, "get_range", "range?sheet=Sheet1&range=A1")),
    ("export_sheet", 1, |t| reads::sheet(t, "export_sheet", "export?sheet=Sheet1")),
    ("get_version", 3, reads::version),
    ("list_versions", 2, reads::versions),
    ("compare_versions", 1, reads::compare),
    ("get_authorship", 1, reads::authorship),
    ("list_files", 6, reads::list),
    ("search_files", 3, reads::search),
    ("search_content", 2, reads::search_content),
    ("list_changes", 5, feed::changes),
    ("list_recent_changes", 2, feed::recent),
    ("get_change_cursor", 1, feed::cursor),
    ("list_workspaces", 2, information::workspaces),
    ("read_command", 1, information::unknown),
    ("get_service", 1, |t| information::constant(t, "get_service", "/v1/service")),
    ("get_developer_manifest", 1, |t| {
        information::constant(t, "get_developer_manifest", "/.well-known/developer-manifest.json")
    }),
    ("read_openapi", 1, |t| information::constant(t, "read_openapi", "/openapi.json")),
    ("read_protected_resource", 1, |t| {
        information::constant(t, "read_protected_resource", "/.well-known/oauth-protected-resource")
    }),
    ("read_mcp_protected_resource", 1, |t| {
        information::constant(t, "read_mcp_protected_resource", "/.well-known/oauth-protected-resource/mcp")
    }),
];
