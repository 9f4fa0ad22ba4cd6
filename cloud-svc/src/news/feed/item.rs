//! A change: its row, and the item that readers of the feed see.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Timestamp, json_column::Json};
use shared_runtime::identity::Actor;
use utoipa::ToSchema;

use crate::{
    base::{
        ids::{CommentId, FileId, PlanId, VersionId, WebhookId},
        tables::changes,
    },
    files::file::FileRecord,
    workspace::changes::ChangeType,
};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = changes)]
pub struct ChangeRow {
    /// The number in the workspace.
    pub sequence: i64,
    pub kind: ChangeType,
    pub at: Timestamp,
    pub actor: Json<Actor>,
    /// The file may have been purged since.
    pub file_id: Option<FileId>,
    /// The version that this change made.
    pub version_id: Option<VersionId>,
    pub comment_id: Option<CommentId>,
    pub plan_id: Option<PlanId>,
    pub webhook_id: Option<WebhookId>,
}

/// A change of a workspace.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChangeItem {
    /// The number of the change; numbers have no gaps.
    #[schema(minimum = 1)]
    pub sequence: i64,
    /// The kind of change. An applied plan is a `file.updated` with a `plan_id`.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    pub at: Timestamp,
    pub actor: Actor,
    /// The changed file; null if the change is not about a file.
    #[schema(required)]
    pub file_id: Option<FileId>,
    /// The current record of that file, in the trash or not; null after a purge.
    #[schema(required)]
    pub file: Option<FileRecord>,
    /// The version that the change made.
    #[schema(required)]
    pub version_id: Option<VersionId>,
    /// The comment that the change is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<CommentId>,
    /// The plan that the change is about, or that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// The webhook that the change is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_id: Option<WebhookId>,
    /// Whether the file was purged.
    pub removed: bool,
}

impl ChangeItem {
    pub fn new(row: ChangeRow, file: Option<FileRecord>) -> Self {
        let ChangeRow { sequence, kind, at, actor, file_id, version_id, comment_id, plan_id, webhook_id } = row;
        let removed = file_id.is_some() && file.is_none();
        let Json(actor) = actor;
        Self { sequence, kind, at, actor, file_id, file, version_id, comment_id, plan_id, webhook_id, removed }
    }
}
