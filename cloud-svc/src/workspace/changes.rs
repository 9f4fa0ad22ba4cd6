//! The log of changes of a workspace. Each row is inserted in the transaction that makes the change.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn, insert_rows,
    state::db::{Appended, announce, append},
};

use crate::base::{
    id_list::ROWS_TOGETHER,
    ids::{CommentId, FileId, PlanId, VersionId, WebhookId, WorkspaceId},
    tables::changes,
};

// Defines an enum with the variants given and one for each change. A macro, because `EventType` of webhooks repeats
// this list and adds variants of its own.
macro_rules! change_enum {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($own:tt)* }) => {
        shared_model::text_enum! {
            $(#[doc = $doc])+
            pub enum $name {
                $($own)*
                FileCreated = "file.created",
                /// A new version.
                FileUpdated = "file.updated",
                FileRenamed = "file.renamed",
                FileMoved = "file.moved",
                FileTrashed = "file.trashed",
                /// Back from the trash.
                FileRestored = "file.restored",
                FilePurged = "file.purged",
                /// The content of an earlier version became current again.
                VersionRestored = "version.restored",
                CommentCreated = "comment.created",
                CommentUpdated = "comment.updated",
                CommentResolved = "comment.resolved",
                CommentReopened = "comment.reopened",
                CommentDeleted = "comment.deleted",
                /// A comment calls an agent: it has `@` and the id of the agent.
                AgentMentioned = "agent.mentioned",
                /// An upload became a file, or a version of one.
                UploadCompleted = "upload.completed",
                /// A draft became a file, or a version of one.
                DraftPromoted = "draft.promoted",
                PlanReviewRequested = "plan.review_requested",
                PlanApproved = "plan.approved",
                /// A reviewer sent the plan back to its author.
                PlanReturned = "plan.returned",
                PlanRejected = "plan.rejected",
                PlanDiscarded = "plan.discarded",
                /// A webhook was disabled because its endpoint cannot be reached.
                WebhookDisabled = "webhook.disabled",
            }
        }
    };
}
pub(crate) use change_enum;

change_enum! {
    /// The kind of a change.
    pub enum ChangeType {}
}

#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub kind: ChangeType,
    /// `None` when the change is not about a file.
    pub file: Option<FileId>,
    /// The version that this change made.
    pub version: Option<VersionId>,
    pub comment: Option<CommentId>,
    pub plan: Option<PlanId>,
    pub webhook: Option<WebhookId>,
    /// The actor as JSON text.
    pub actor_json: &'a str,
    pub at: Timestamp,
}

impl<'a> Change<'a> {
    pub fn of_file(kind: ChangeType, file: FileId, actor_json: &'a str, at: Timestamp) -> Self {
        Self { kind, file: Some(file), version: None, comment: None, plan: None, webhook: None, actor_json, at }
    }
}

// NULL is written as such, so that the text of the insert is always the same and is prepared once.
#[derive(Insertable)]
#[diesel(table_name = changes, treat_none_as_default_value = false)]
struct Row {
    workspace_id: WorkspaceId,
    sequence: i64,
    kind: ChangeType,
    at: Timestamp,
    actor: String,
    file_id: Option<FileId>,
    version_id: Option<VersionId>,
    comment_id: Option<CommentId>,
    plan_id: Option<PlanId>,
    webhook_id: Option<WebhookId>,
}

impl Appended for Row {
    fn insert(conn: &mut Conn, rows: Vec<Self>) -> Result<(), Failure> {
        for some in rows.chunks(ROWS_TOGETHER) {
            insert_rows!(conn, some, |rows| diesel::insert_into(changes::table).values(rows))?;
        }
        Ok(())
    }
}

/// Logs a change, at the end of the transaction.
pub fn insert(owner: WorkspaceId, sequence: i64, change: &Change<'_>) {
    insert_all(owner, sequence, &[*change]);
}

/// Logs changes under `first` and the numbers that follow, at the end of the transaction.
pub fn insert_all(owner: WorkspaceId, first: i64, all: &[Change<'_>]) {
    for (sequence, change) in (first..).zip(all) {
        append(Row {
            workspace_id: owner,
            sequence,
            kind: change.kind,
            at: change.at,
            actor: change.actor_json.to_owned(),
            file_id: change.file,
            version_id: change.version,
            comment_id: change.comment,
            plan_id: change.plan,
            webhook_id: change.webhook,
        });
    }
    // It is sent after the commit, and only within this process. The change feed must not rely on it alone.
    announce(owner.number());
}

pub fn find(conn: &mut Conn, owner: WorkspaceId, sequence: i64) -> Result<Option<(ChangeType, Timestamp)>, Failure> {
    let found = changes::table.find((owner, sequence)).select((changes::kind, changes::at)).first(conn).optional()?;
    Ok(found)
}
