//! What happens in a workspace, one row for each change, in the transaction that makes it.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::announce};

use crate::base::{
    ids::{CommentId, FileId, PlanId, VersionId, WebhookId, WorkspaceId},
    tables::changes,
};

/// Defines an enum of every change in a workspace, after variants of its own. The list stands here once, because a webhook's
/// events are the changes and two more.
macro_rules! change_enum {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($own:tt)* }) => {
        shared_model::text_enum! {
            $(#[doc = $doc])+
            pub enum $name {
                $($own)*
                /// A file or folder was created.
                FileCreated = "file.created",
                /// A file has a new version.
                FileUpdated = "file.updated",
                FileRenamed = "file.renamed",
                FileMoved = "file.moved",
                FileTrashed = "file.trashed",
                /// A file left the trash.
                FileRestored = "file.restored",
                FilePurged = "file.purged",
                /// A file has the content of an earlier version again.
                VersionRestored = "version.restored",
                CommentCreated = "comment.created",
                CommentUpdated = "comment.updated",
                CommentResolved = "comment.resolved",
                CommentReopened = "comment.reopened",
                CommentDeleted = "comment.deleted",
                /// An upload became a file, or a version of one.
                UploadCompleted = "upload.completed",
                /// A draft became a file, or a version of one.
                DraftPromoted = "draft.promoted",
                PlanReviewRequested = "plan.review_requested",
                PlanApproved = "plan.approved",
                PlanRejected = "plan.rejected",
                /// A webhook was disabled because its endpoint cannot be reached.
                WebhookDisabled = "webhook.disabled",
            }
        }
    };
}
pub(crate) use change_enum;

change_enum! {
    /// What happened.
    pub enum ChangeType {}
}

/// A change of a file or of what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub kind: ChangeType,
    /// `None` when the change is not about a file.
    pub file: Option<FileId>,
    /// The version that the change made.
    pub version: Option<VersionId>,
    pub comment: Option<CommentId>,
    pub plan: Option<PlanId>,
    pub webhook: Option<WebhookId>,
    /// The actor, as JSON text.
    pub actor_json: &'a str,
    pub at: Timestamp,
}

impl<'a> Change<'a> {
    /// A change of a file's record or content.
    pub fn of_file(kind: ChangeType, file: FileId, actor_json: &'a str, at: Timestamp) -> Self {
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
