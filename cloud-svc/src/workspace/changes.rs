//! The log of changes of a workspace. Each row is inserted in the transaction that makes the change.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, insert_rows, state::db::announce};

use crate::base::{
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

// The announcement is sent after the commit, and only within this process. The change feed must not rely on it alone.
pub fn insert(conn: &mut Conn, owner: WorkspaceId, sequence: i64, change: &Change<'_>) -> Result<(), Failure> {
    insert_all(conn, owner, sequence, &[*change])
}

/// Inserts changes under `first` and the numbers that follow.
pub fn insert_all(conn: &mut Conn, owner: WorkspaceId, first: i64, all: &[Change<'_>]) -> Result<(), Failure> {
    let rows = (first..).zip(all).map(|(sequence, change)| {
        (
            changes::workspace_id.eq(owner),
            changes::sequence.eq(sequence),
            changes::kind.eq(change.kind),
            changes::at.eq(change.at),
            changes::actor.eq(change.actor_json),
            changes::file_id.eq(change.file),
            changes::version_id.eq(change.version),
            changes::comment_id.eq(change.comment),
            changes::plan_id.eq(change.plan),
            changes::webhook_id.eq(change.webhook),
        )
    });
    insert_rows!(conn, rows, |rows| diesel::insert_into(changes::table).values(rows))?;
    announce(owner.number());
    Ok(())
}

pub fn find(conn: &mut Conn, owner: WorkspaceId, sequence: i64) -> Result<Option<(ChangeType, Timestamp)>, Failure> {
    let found = changes::table.find((owner, sequence)).select((changes::kind, changes::at)).first(conn).optional()?;
    Ok(found)
}
