//! The closed table of the refusals of this service; `shared-runtime` has the table of those that all services share.

#[rustfmt::skip]
shared_model::code_table! {
    [cloud_content::codes: WORKBOOK_READ_ONLY, RESPONSE_TOO_LARGE, FORMULA_NOT_ALLOWED, COMPUTATION_TOO_LARGE, BLOCK_NOT_FOUND]
    APPROVAL_REQUIRED    = "approval_required",    403, RequestReview("/v1/files/{file_id}/edit-plans/{plan_id}/request-review"), "A person must approve this change of an agent.";
    AGENT_LIMITED        = "agent_limited",        403, OtherActor("cloud.write"), "The limits of this agent do not allow this.";
    SELF_APPROVAL        = "self_approval",        403, OtherActor("cloud.approve"), "You cannot approve, return, reject or amend your own plan.";
    PERSON_REQUIRED      = "person_required",      403, OtherActor("cloud.approve"), "Only a person can do this.";
    NOT_PLAN_AUTHOR      = "not_plan_author",      403, OtherActor("cloud.propose"), "Only the author of a plan may do this. Reviewers approve or reject it.";
    NOT_COMMENT_AUTHOR   = "not_comment_author",   403, OtherActor("cloud.propose"), "Only the author of a comment may change it.";
    PARENT_NOT_FOLDER    = "parent_not_folder",    409, CorrectOne("/parent_id", "must be an active folder of the workspace"), "The parent is a file, not a folder.";
    PARENT_TRASHED       = "parent_trashed",       409, CorrectOne("/parent_id", "must be an active folder of the workspace"), "The parent folder is in the trash.";
    PARENT_CYCLE         = "parent_cycle",         409, CorrectOne("/parent_id", "must be a folder outside the one that is moved"), "A folder cannot be moved into itself or into a folder within it.";
    FILE_TRASHED         = "file_trashed",         409, Refresh("/v1/files/{file_id}"), "The file is in the trash; restore it first.";
    FILE_NOT_TRASHED     = "file_not_trashed",     409, Refresh("/v1/files/{file_id}"), "The file is not in the trash.";
    PLAN_STALE           = "plan_stale",           409, Rebase("/v1/files/{file_id}/edit-plans/{plan_id}/rebase"), "The file has changed since the plan was made.";
    PLAN_EXPIRED         = "plan_expired",         409, Rebase("/v1/files/{file_id}/edit-plans/{plan_id}/rebase"), "The plan has expired.";
    PLAN_DISCARDED       = "plan_discarded",       409, Refresh("/v1/files/{file_id}"), "The plan was discarded.";
    PLAN_REJECTED        = "plan_rejected",        409, Refresh("/v1/files/{file_id}"), "The plan was rejected by a reviewer.";
    PLAN_ALREADY_APPLIED = "plan_already_applied", 409, Refresh("/v1/files/{file_id}"), "The plan has been applied already.";
    PLAN_STATE           = "plan_state",           409, Refresh("/v1/files/{file_id}/edit-plans/{plan_id}"), "The state of the plan does not allow this.";
    PROPOSAL_STATE       = "proposal_state",       409, Refresh("/v1/proposals/{proposal_id}"), "The state of the proposal does not allow this.";
    PLAN_CONFLICT        = "plan_conflict",        409, Refresh("/v1/files/{file_id}"), "The file has changed where the plan would change it.";
    DRAFT_PROMOTED       = "draft_promoted",       409, Refresh("/v1/files/{file_id}"), "The draft has become a file; change the file instead.";
    SCRATCH_FULL         = "scratch_full",         409, Refresh("/v1/scratch"), "The grant has no space for another draft; discard one.";
    UPLOAD_STATE         = "upload_state",         409, Refresh("/v1/uploads/{upload_id}"), "The state of the upload does not allow this.";
    CHUNK_OUT_OF_ORDER   = "chunk_out_of_order",   409, SendChunk("/v1/uploads/{upload_id}/chunks/{index}"), "Chunks must be sent in order.";
    CHUNK_CONFLICT       = "chunk_conflict",       409, Refresh("/v1/uploads/{upload_id}"), "This chunk was already received with other bytes.";
    GRANT_INVALID        = "grant_invalid",        404, CorrectOne("token", "must come from a new link: ask for another download grant"), "This link is invalid or has expired. Ask for another download grant.";
    WEBHOOK_LIMIT        = "webhook_limit",        409, Refresh("/v1/webhooks"), "The grant has reached its limit of webhooks; revoke one.";
    WEBHOOK_STATE        = "webhook_state",        409, Refresh("/v1/webhooks/{webhook_id}"), "The state of the webhook does not allow this.";
    CHANGE_CURSOR_EXPIRED = "change_cursor_expired", 410, Refresh("/v1/changes/cursor"), "The changes after this cursor were deleted; take a new cursor, list all files, then follow the new cursor.";
    NAME_EXISTS          = "name_exists",          412, CorrectOne("/name", "must be a name that no other file of the folder has"), "The folder already has a file with this name.";
    QUOTA_EXCEEDED       = "quota_exceeded",       413, Refresh("/v1/files?state=trashed"), "The workspace's storage quota is used up. Purge files in the trash to free storage.";
    UPLOAD_TOO_LARGE     = "upload_too_large",     413, CorrectOne("/size", "must be at most 1073741824"), "An uploaded file may have at most upload_bytes bytes.";
    ANCHOR_NOT_FOUND     = "anchor_not_found",     422, CorrectOne("/anchor", "must be a place of the current content"), "The file has no such place.";
    CHANGES_DEPEND       = "changes_depend",       422, Correct, "Some of the chosen changes cannot be made without others.";
    DIGEST_MISMATCH      = "digest_mismatch",      422, CorrectOne("/sha256", "must be the SHA-256 of the bytes that are sent; begin another upload"), "The bytes do not match the expected digest.";
    URL_NOT_ALLOWED      = "url_not_allowed",      422, CorrectOne("/url", "must be an https URL on port 443 that gives a public host by name, without a user"), "Webhooks cannot be sent to this URL.";
}
