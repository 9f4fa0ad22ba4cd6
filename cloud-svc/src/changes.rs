//! What happens in a workspace, one row for each change, in the transaction that makes it (design: change feed).

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::announce};

use crate::{
    ids::{CommentId, FileId, PlanId, VersionId, WebhookId, WorkspaceId},
    schema::changes,
};

shared_model::text_enum! {
    /// What happened.
    pub enum ChangeType {
        /// A file or folder is new.
        FileCreated = "file.created",
        /// A file has a new version.
        FileUpdated = "file.updated",
        /// It has another name.
        FileRenamed = "file.renamed",
        /// It is in another folder.
        FileMoved = "file.moved",
        /// It went to the trash.
        FileTrashed = "file.trashed",
        /// It came back.
        FileRestored = "file.restored",
        /// It is gone.
        FilePurged = "file.purged",
        /// A file has the content of an earlier version again.
        VersionRestored = "version.restored",
        /// A comment is new.
        CommentCreated = "comment.created",
        /// It says something else.
        CommentUpdated = "comment.updated",
        /// It is resolved.
        CommentResolved = "comment.resolved",
        /// It is open again.
        CommentReopened = "comment.reopened",
        /// It is gone.
        CommentDeleted = "comment.deleted",
        /// An upload has become a file, or a version of one.
        UploadCompleted = "upload.completed",
        /// A draft has become a file, or a version of one.
        DraftPromoted = "draft.promoted",
        /// Somebody asks for a review of a plan.
        PlanReviewRequested = "plan.review_requested",
        /// A plan is approved.
        PlanApproved = "plan.approved",
        /// A plan is rejected.
        PlanRejected = "plan.rejected",
        /// A webhook is told nothing more, because it cannot be reached.
        WebhookDisabled = "webhook.disabled",
    }
}

/// A change of a file or of what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// What happened.
    pub kind: ChangeType,
    /// To which file; none where it is no file that changed.
    pub file: Option<FileId>,
    /// The version that came of it.
    pub version: Option<VersionId>,
    /// The comment.
    pub comment: Option<CommentId>,
    /// The plan.
    pub plan: Option<PlanId>,
    /// The webhook.
    pub webhook: Option<WebhookId>,
    /// Who did it, as JSON text.
    pub actor_json: &'a str,
    /// When.
    pub at: Timestamp,
}

impl<'a> Change<'a> {
    /// A change of a file's record or content.
    pub fn of(kind: ChangeType, file: FileId, actor_json: &'a str, at: Timestamp) -> Self {
        Self { kind, file: Some(file), version: None, comment: None, plan: None, webhook: None, actor_json, at }
    }
}

/// Inserts the change that has this number of the workspace, and lets this process know once it is committed.
pub fn insert(conn: &mut Conn, owner: WorkspaceId, sequence: i64, change: &Change<'_>) -> Result<(), Failure> {
    let insert = diesel::insert_into(changes::table).values((
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
    ));
    on_each!(conn, |c| insert.execute(c))?;
    announce(owner.number());
    Ok(())
}

/// What the workspace's change of this number was, and when.
pub fn find(conn: &mut Conn, owner: WorkspaceId, sequence: i64) -> Result<Option<(ChangeType, Timestamp)>, Failure> {
    let found = changes::table.find((owner, sequence)).select((changes::kind, changes::at)).first(conn).optional()?;
    Ok(found)
}
